# The API server of Kubernetes, for the long tests.

kubernetes_api_tools() { :; }

kubernetes_api_build() {
  go_program kubernetes_api kube-apiserver deploy/kubernetes-api . \
    "kube-apiserver $(sed -n 's/^.*k8s.io\/kubernetes v//p' deploy/kubernetes-api/go.mod)" \
    "the API server of Kubernetes is not built, and the long test of clusters fails"
}

kubernetes_api_progress() { etcd_progress "$1"; }
