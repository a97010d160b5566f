/** What the driver says of this machine's GPUs at one moment. Plain data: it crosses from the child process. */

/** A GPU, or an instance of one that is cut into instances (MIG). */
export interface GpuReading {
  readonly uuid: string;
  readonly model: string;
  /** Empty for a whole GPU; else such as `1g.10gb`. */
  readonly migProfile: string;
  /** Of an instance: the GPU it is cut from. Empty for a whole GPU. */
  readonly parentUuid: string;
  readonly pciId: string;
  readonly computeCapability: string;
  readonly driverVersion: string;
  readonly memoryBytes: number;
  /** Taken by programs; `reservedBytes` of it is the driver's own where the driver does not separate them. */
  readonly usedBytes: number;
  readonly countsReserved: boolean;
  /** What uses it, as the host counts processes; null where the driver does not say. */
  readonly processes: readonly GpuProcess[] | null;
  /** The number in /dev/nvidia<minor>; null where the driver does not say. */
  readonly minor: number | null;
  /** Which instance it is of its GPU; null for a whole one. */
  readonly instance: { readonly gpu: number; readonly compute: number } | null;
  readonly temperatureCelsius: number | null;
  readonly powerWatts: number | null;
  /** From 0 to 1. */
  readonly utilisation: number | null;
  readonly eccCorrected: number | null;
  readonly eccUncorrected: number | null;
}

export interface GpuProcess {
  readonly pid: number;
  readonly memoryBytes: number | null;
}

/** The driver's word that something went wrong. */
export interface XidEvent {
  /** Of the whole GPU. */
  readonly uuid: string;
  /** The GPU instance it happened in; null where it concerns the whole GPU. */
  readonly gpuInstance: number | null;
  readonly xid: number;
}

/** A GPU that could not be read. */
export interface UnreadGpu {
  /** Null where not even that could be read. */
  readonly uuid: string | null;
  readonly why: string;
}

export interface MachineReading {
  readonly gpus: readonly GpuReading[];
  readonly unread: readonly UnreadGpu[];
  readonly events: readonly XidEvent[];
}
