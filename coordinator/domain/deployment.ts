/** A deployment: one immutable choice for a service. */
import type { Instant } from "@elastic/std/clock.ts";
import type { BytesRef, TaskBudgets } from "./task.ts";

/** What a workload of the deployment is given. */
export interface Resources {
  /** Slots the workload holds: its GPUs, or 1 without. */
  readonly gpuCount: number;
  /** Model the GPUs must have; null for any. */
  readonly gpuModel: string | null;
  /** Each of them at least. */
  readonly gpuMemoryBytes: number;
  /** A MIG instance of that profile in place of a full GPU; null, or left out, for what fits best. */
  readonly gpuMigProfile?: string | null;
  /** Labels that its node must have, with these values. */
  readonly nodeLabels?: Readonly<Record<string, string>>;
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  readonly pids: number;
  readonly tmpBytes: number;
}

/** How many workloads there are. */
export interface Scaling {
  readonly min: number;
  readonly max: number;
  readonly idleTimeoutMs: number;
  readonly targetQueueMs: number;
}

export interface DeploymentLimits {
  readonly budgets: TaskBudgets;
  /** Tasks a workload takes at a time. */
  readonly concurrency: number;
  /** Further attempts after `prover_error`, 0 to 5. */
  readonly proverRetries: number;
}

/** A volume as it was when it was deployed; it never changes. */
export interface DeployedVolume {
  readonly id: string;
  readonly manifestSha256: string;
  readonly manifestBytes: number;
}

/** What a deployment must prove before it serves. */
export interface Canary {
  /** The task whose input it is: the last that the service proved. */
  readonly taskId: string;
  readonly input: BytesRef;
  /** How long that proof took. */
  readonly runMs: number;
}

export interface Deployment {
  readonly id: string;
  readonly serviceId: string;
  readonly teamId: string;
  readonly creatorId: string;
  readonly createdAt: Instant;
  /** `<registry>/<repository>@sha256:<hex>`, or `builtin:<name>`. */
  readonly image: string;
  readonly tag: string;
  /** Must accept each proof before it counts; runs next to the prover, as `image` does. Null for none. */
  readonly verifierImage: string | null;
  /** What its containers see at /data. */
  readonly volume: DeployedVolume | null;
  /** The build whose image it is, where it follows from one. */
  readonly buildId?: string;
  /** Left out where nothing has to be proved first. */
  readonly canary?: Canary;
  /** The deployment that this one repeats, where it is a way back. */
  readonly rollbackOf: string | null;
  /** JSON object of the environment, sealed by `secrets`; base64. Null when empty. */
  readonly sealedEnv: string | null;
  readonly resources: Resources;
  readonly scaling: Scaling;
  readonly limits: DeploymentLimits;
}

export const BUILTIN_PREFIX = "builtin:";

/** The name of the builtin prover that the deployment runs, or null for a container image. */
export function builtinName(deployment: Pick<Deployment, "image">): string | null {
  return deployment.image.startsWith(BUILTIN_PREFIX) ? deployment.image.slice(BUILTIN_PREFIX.length) : null;
}

/** Whatever runs for the deployment: its prover, and its verifier where it has one. */
export function imagesOf({ image, verifierImage }: Pick<Deployment, "image" | "verifierImage">): readonly string[] {
  return verifierImage === null ? [image] : [image, verifierImage];
}

/** Memory a workload holds on a node: a verifier may use as much as the prover. */
export function memoryOf({ resources, verifierImage }: Pick<Deployment, "resources" | "verifierImage">): number {
  return verifierImage === null ? resources.memoryBytes : 2 * resources.memoryBytes;
}

/** Slots a workload holds on a node. */
export function slotsOf(deployment: Pick<Deployment, "resources">): number {
  return Math.max(1, deployment.resources.gpuCount);
}
