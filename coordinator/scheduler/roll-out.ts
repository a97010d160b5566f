/** What becomes of the deployment that is coming up: it serves, it failed, or it is not decided yet. Pure. */
import type { WorkloadFailure } from "../domain/assignment.ts";
import { builtinName, type Deployment } from "../domain/deployment.ts";
import type { FailureReason } from "../domain/failure.ts";
import { isAlive, type ServiceEntry } from "./entries.ts";
import type { StartFailures } from "./start-failures.ts";

export type RollOut =
  | { readonly kind: "rolled_out" }
  | { readonly kind: "failed"; readonly reason: FailureReason; readonly message: string };

/** Reasons that lie in one node: another is tried before the deployment is given up. */
const REASONS_OF_A_NODE: readonly FailureReason[] = ["node_lost", "node_disk_full", "gpu_fault", "internal"];
const STARTS_MAX = 3;

/** Null while it is not decided. `next` is the service's next deployment. */
export function judgeRollOut(
  service: ServiceEntry,
  next: Deployment,
  failures: StartFailures | null,
  nowMs: number,
): RollOut | null {
  const own = [...service.assignments].filter((entry) => entry.value.deploymentId === next.id);
  if (own.some((entry) => entry.workload?.value.phase === "ready" && isAlive(entry))) return { kind: "rolled_out" };
  if (failures !== null && isGivenUp(failures)) return failed(failures.last);
  if (own.length > 0 || nowMs - service.nextSinceMs <= next.limits.budgets.startMs) return null;
  return {
    kind: "failed",
    reason: "start_timeout",
    message: `no node had room within ${next.limits.budgets.startMs / 1000} s for ${needs(next)}`,
  };
}

function isGivenUp({ count, last }: StartFailures): boolean {
  return count >= STARTS_MAX || !REASONS_OF_A_NODE.includes(last.reason);
}

function needs(deployment: Deployment): string {
  const { gpuCount, gpuModel, gpuMemoryBytes, cpuMillis, memoryBytes } = deployment.resources;
  const builtin = builtinName(deployment);
  return [
    builtin === null ? "a container" : `the builtin prover ${builtin}`,
    ...(gpuCount === 0 ? [] : [`${gpuCount} GPU of ${gpuModel ?? "any model"} with ${mebibytes(gpuMemoryBytes)}`]),
    `${cpuMillis / 1000} CPU`,
    `${mebibytes(memoryBytes)} of memory`,
  ].join(", ");
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}

function failed({ reason, message }: WorkloadFailure): RollOut {
  return { kind: "failed", reason, message };
}
