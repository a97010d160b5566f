/** The task that shows whether a deployment proves: it begins as running, on a workload that no other task is given. */
import { type Canary, type Deployment, slotsOf } from "../../domain/deployment.ts";
import { RETENTION_MS_DEFAULT } from "../../domain/retention.ts";
import type { Service } from "../../domain/service.ts";
import { claim, queue, type Task } from "../../domain/task.ts";
import type { AssignmentEntry } from "./entries.ts";

/** What was proved before is to be proved in a few times of what it took, so that no deployment waits for hours. */
const RUN_FACTOR = 4;
const RUN_MS_MIN = 60_000;

/** `id` is the new task's. Null where the workload's node is not known. */
export function canaryTask(
  service: Service,
  deployment: Deployment,
  canary: Canary,
  { id, on, now }: { readonly id: string; readonly on: AssignmentEntry; readonly now: number },
): Task | null {
  const node = on.node.read?.value;
  if (node === undefined) return null;
  const { budgets } = deployment.limits;
  const queued = queue({
    id,
    teamId: service.teamId,
    serviceId: service.id,
    serviceName: service.name,
    creatorId: deployment.creatorId,
    createdAt: now,
    requestId: `canary-${id}`,
    input: canary.input,
    budgets: { ...budgets, runMs: Math.min(budgets.runMs, Math.max(RUN_MS_MIN, RUN_FACTOR * canary.runMs)) },
    priority: 0,
    proverRetries: 0,
    retentionMs: service.resultRetentionMs ?? RETENTION_MS_DEFAULT,
    canaryOf: deployment.id,
    holds: { slots: slotsOf(deployment), gpus: deployment.resources.gpuCount },
  });
  return claim(queued, { nodeId: node.id, sessionId: node.sessionId, assignmentId: on.id }, now);
}
