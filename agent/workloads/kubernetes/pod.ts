/** What is read of the Pods and nodes that a Kubernetes API server returns. All of it may be absent. */

export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    /** The instant by which it shall be gone. */
    readonly deletionTimestamp?: string;
  };
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
}

interface PodSpec {
  readonly nodeName?: string;
  readonly containers?: readonly PodContainer[];
  readonly initContainers?: readonly PodContainer[];
}

export interface PodContainer {
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
}

interface PodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly podIP?: string;
  readonly conditions?: readonly PodCondition[];
  readonly containerStatuses?: readonly ContainerStatus[];
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

export interface ContainerStatus {
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly running?: object;
    readonly terminated?: { readonly exitCode: number; readonly reason?: string; readonly message?: string };
  };
}

export interface ClusterNode {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: {
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly conditions?: readonly PodCondition[];
  };
}
