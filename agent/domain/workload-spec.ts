/** What a workload is: an assignment as it came over the wire, checked once. */
import type {
  Assignment,
  DataVolume,
  EgressRule,
  ShellWorkload,
} from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";

interface WorkloadResources {
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  readonly pids: number;
  readonly tmpBytes: number;
}

export interface WorkloadSpec {
  readonly assignmentId: string;
  /** A verifier runs next to the prover of the same assignment. */
  readonly role: "prover" | "verifier";
  /** Of a workload that takes no tasks but sessions; null for a deployment's. */
  readonly shell: ShellPart | null;
  /** Empty for a shell, as its service is. */
  readonly deploymentId: string;
  readonly serviceId: string;
  readonly teamId: string;
  /** `<registry>/<repository>@sha256:<hex>`, or `builtin:<name>`. */
  readonly image: string;
  readonly env: Readonly<Record<string, string>>;
  /** Tasks it takes at a time. */
  readonly concurrency: number;
  /** From the start of the pull to the first healthy response. */
  readonly startTimeoutMs: number;
  readonly inputBytesMax: number;
  readonly gpuUuids: readonly string[];
  readonly resources: WorkloadResources;
  /** What its containers see at /data; null for none. */
  readonly volume: WorkloadVolume | null;
  /** Named as `image`: what must accept each result; null for none. */
  readonly verifierImage: string | null;
}

export interface ShellPart {
  readonly id: string;
  readonly homeBytes: number;
  readonly scratchBytes: number;
  /** Where it may connect; empty for nowhere. */
  readonly egress: readonly EgressRule[];
  /** To remove what it left here, and nothing else. */
  readonly erase: boolean;
}

interface WorkloadVolume {
  readonly id: string;
  /** Digest of the list of its files. */
  readonly manifestSha256: string;
  readonly manifestBytes: number;
}

const BUILTIN_PREFIX = "builtin:";

/** The builtin prover that the workload runs; null for a container image. */
export function builtinName(spec: Pick<WorkloadSpec, "image">): string | null {
  return spec.image.startsWith(BUILTIN_PREFIX) ? spec.image.slice(BUILTIN_PREFIX.length) : null;
}

/** Null for a build, and for an assignment that this version does not understand. */
export function specOf(assignment: Assignment): WorkloadSpec | null {
  const { workload, resources } = assignment;
  if (workload === undefined || workload.$case === "build" || resources === undefined) return null;
  const placed = {
    assignmentId: assignment.assignmentId,
    gpuUuids: assignment.gpuUuids,
    resources: {
      cpuMillis: resources.cpuMillis,
      memoryBytes: Number(resources.memoryBytes),
      pids: resources.pids,
      tmpBytes: Number(resources.tmpBytes),
    },
  };
  if (workload.$case === "shell") return { ...placed, ...shellSpec(workload.value) };
  const { deploymentId, serviceId, teamId, image, env, concurrency, startTimeoutMs, inputBytesMax } = workload.value;
  const { volume, verifierImage } = workload.value;
  return {
    ...placed,
    role: "prover",
    shell: null,
    deploymentId,
    serviceId,
    teamId,
    image,
    env,
    concurrency: Math.max(1, concurrency),
    startTimeoutMs,
    inputBytesMax: Number(inputBytesMax),
    volume: volume === undefined ? null : volumeOf(volume),
    verifierImage: verifierImage || null,
  };
}

function shellSpec(shell: ShellWorkload): Omit<WorkloadSpec, "assignmentId" | "gpuUuids" | "resources"> {
  const { shellId: id, homeBytes, rootBytes, egress, erase } = shell;
  return {
    role: "prover",
    shell: { id, homeBytes: Number(homeBytes), scratchBytes: Number(rootBytes), egress, erase },
    deploymentId: "",
    serviceId: "",
    teamId: shell.teamId,
    image: shell.image,
    env: shell.env,
    concurrency: 1,
    startTimeoutMs: shell.startTimeoutMs,
    inputBytesMax: 0,
    volume: null,
    verifierImage: null,
  };
}

function volumeOf({ volumeId, manifestSha256, manifestBytes }: DataVolume): WorkloadVolume {
  return { id: volumeId, manifestSha256, manifestBytes: Number(manifestBytes) };
}
