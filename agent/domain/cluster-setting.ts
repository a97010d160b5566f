/** The namespace of a Kubernetes cluster that is this node, where it is one. */
export interface ClusterSetting {
  /** File with a kubeconfig; null for the service account of the Pod that the agent runs in. */
  readonly configFile: string | null;
  /** Null for that of the configuration or of the agent's Pod. */
  readonly namespace: string | null;
  /** What a Pod requests for a GPU, such as `nvidia.com/gpu`. */
  readonly gpuResource: string;
  /** How many GPUs it uses at most, free or not; null where the cluster's nodes say how many are free. */
  readonly gpus: number | null;
  /** Labels of the cluster's nodes that it uses. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Secret of the namespace with which images are pulled. */
  readonly pullSecret: string | null;
  readonly runtimeClass: string | null;
}
