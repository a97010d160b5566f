/** The task that shows whether a deployment proves: it begins as running, on a workload that no other task is given. */
import { newId } from "@elastic/std/ids.ts";
import { type Canary, type Deployment, slotsOf } from "../domain/deployment.ts";
import { RETENTION_MS_DEFAULT } from "../domain/retention.ts";
import type { Service } from "../domain/service.ts";
import { claim, queue, type Task } from "../domain/task.ts";
import type { AssignmentEntry } from "./entries.ts";

/** Null where the workload's node is not known. */
export function canaryTask(
  service: Service,
  deployment: Deployment,
  canary: Canary,
  on: AssignmentEntry,
  now: number,
): Task | null {
  const node = on.node.read?.value;
  if (node === undefined) return null;
  const id = newId(now);
  const queued = queue({
    id,
    teamId: service.teamId,
    serviceId: service.id,
    serviceName: service.name,
    creatorId: deployment.creatorId,
    createdAt: now,
    requestId: `canary-${id}`,
    input: canary.input,
    budgets: deployment.limits.budgets,
    priority: 0,
    proverRetries: 0,
    retentionMs: service.resultRetentionMs ?? RETENTION_MS_DEFAULT,
    canaryOf: deployment.id,
    holds: { slots: slotsOf(deployment), gpus: deployment.resources.gpuCount },
  });
  return claim(queued, { nodeId: node.id, sessionId: node.sessionId, assignmentId: on.id }, now);
}
