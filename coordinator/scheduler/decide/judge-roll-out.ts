/** What becomes of the deployment that is coming up: it serves, it failed, or it is not decided yet. Pure. */
import type { Deployment } from "../../domain/deployment.ts";
import type { FailureReason } from "../../domain/failure.ts";
import type { StepFailure } from "../../domain/roll-out.ts";
import { needs } from "../../domain/suitable-node.ts";
import type { AssignmentEntry, ServiceEntry } from "./entries.ts";
import type { CanaryVerdict } from "./judge-canary.ts";
import { failureOf } from "./roll-out-events.ts";
import type { StartFailures } from "./start-failures.ts";
import { isAlive } from "./usable-workloads.ts";

export type Verdict =
  | { readonly kind: "rolled_out" }
  | { readonly kind: "failed"; readonly failure: StepFailure }
  /** A ready workload has something to prove first. */
  | { readonly kind: "prove"; readonly on: AssignmentEntry };

/** Reasons that concern one node: another is tried before the deployment fails. */
const REASONS_OF_A_NODE: readonly FailureReason[] = ["node_lost", "node_disk_full", "gpu_fault", "internal"];
const STARTS_MAX = 3;

/** Null while it is not decided. `next` is the service's next deployment; `canary` is called once it has a ready workload. */
export function judgeRollOut(
  service: ServiceEntry,
  next: Deployment,
  failures: StartFailures | null,
  nowMs: number,
  canary: () => CanaryVerdict = () => ({ kind: "proved" }),
): Verdict | null {
  const own = [...service.assignments].filter((entry) => entry.value.workload.deploymentId === next.id);
  const ready = own.find((entry) => entry.workload?.value.phase === "ready" && isAlive(entry));
  if (ready !== undefined) return afterCanary(canary(), ready);
  if (failures !== null && hasFailedForGood(failures)) return { kind: "failed", failure: failureOf(failures.last) };
  if (own.length > 0 || nowMs - service.nextSinceMs <= next.limits.budgets.startMs) return null;
  const message = `no node had room within ${next.limits.budgets.startMs / 1000} s for ${needs(next)}`;
  return {
    kind: "failed",
    failure: { step: "placing", reason: "start_timeout", message, exitCode: null, logTail: "" },
  };
}

function afterCanary(canary: CanaryVerdict, on: AssignmentEntry): Verdict | null {
  switch (canary.kind) {
    case "proved":
      return { kind: "rolled_out" };
    case "failed":
      return canary;
    case "running":
      return null;
    case "start":
      return on.node.linked ? { kind: "prove", on } : null;
  }
}

function hasFailedForGood({ count, last }: StartFailures): boolean {
  return count >= STARTS_MAX || !REASONS_OF_A_NODE.includes(last.reason);
}
