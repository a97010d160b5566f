/** What a workload is: an assignment as it came over the wire, checked once. */
import type { Assignment } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";

export interface WorkloadResources {
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  readonly pids: number;
  readonly tmpBytes: number;
}

export interface WorkloadSpec {
  readonly assignmentId: string;
  readonly deploymentId: string;
  readonly serviceId: string;
  readonly teamId: string;
  /** `<registry>/<repository>@sha256:<hex>`, or `builtin:<name>`. */
  readonly image: string;
  readonly env: Readonly<Record<string, string>>;
  /** Tasks it takes at a time. */
  readonly concurrency: number;
  /** From the start of the pull to the first healthy answer. */
  readonly startTimeoutMs: number;
  readonly inputBytesMax: number;
  readonly gpuUuids: readonly string[];
  readonly resources: WorkloadResources;
}

const BUILTIN_PREFIX = "builtin:";

/** The builtin prover that the workload runs; null for a container image. */
export function builtinName(spec: Pick<WorkloadSpec, "image">): string | null {
  return spec.image.startsWith(BUILTIN_PREFIX) ? spec.image.slice(BUILTIN_PREFIX.length) : null;
}

/** Null for an assignment that this version does not understand. */
export function specOf(assignment: Assignment): WorkloadSpec | null {
  const { workload, resources } = assignment;
  if (workload?.$case !== "deployment" || resources === undefined) return null;
  const { deploymentId, serviceId, teamId, image, env, concurrency, startTimeoutMs, inputBytesMax } = workload.value;
  return {
    assignmentId: assignment.assignmentId,
    deploymentId,
    serviceId,
    teamId,
    image,
    env,
    concurrency: Math.max(1, concurrency),
    startTimeoutMs,
    inputBytesMax: Number(inputBytesMax),
    gpuUuids: assignment.gpuUuids,
    resources: {
      cpuMillis: resources.cpuMillis,
      memoryBytes: Number(resources.memoryBytes),
      pids: resources.pids,
      tmpBytes: Number(resources.tmpBytes),
    },
  };
}
