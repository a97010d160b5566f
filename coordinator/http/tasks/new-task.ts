/** The record of a new task, from the request and what the service's deployment allows. */
import { newId } from "@elastic/std/ids.ts";
import { type Deployment, slotsOf } from "../../domain/deployment.ts";
import { RETENTION_MS_DEFAULT } from "../../domain/retention.ts";
import { type Service, servingDeploymentId } from "../../domain/service.ts";
import type { NewTask, TaskBudgets } from "../../domain/task.ts";
import type { Store } from "../../store/store.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { invalidRequest, Problem } from "../problems/problem.ts";
import type { TaskRequest } from "./read-task-request.ts";

/** What a task or a batch begins as, but for its input. */
export async function newTask(
  { store, clock }: Pick<RecordDeps, "store" | "clock">,
  service: Service,
  { priority, budgets }: Pick<TaskRequest, "priority" | "budgets">,
  given: Pick<NewTask, "creatorId" | "requestId" | "traceparent">,
): Promise<Omit<NewTask, "input">> {
  const deployment = await servingDeployment(store, service);
  const { limits } = deployment;
  refuseBeyond(budgets, limits.budgets);
  const now = clock.now();
  return {
    id: newId(now),
    teamId: service.teamId,
    serviceId: service.id,
    serviceName: service.name,
    createdAt: now,
    budgets: { ...limits.budgets, ...budgets },
    priority,
    proverRetries: limits.proverRetries,
    retentionMs: service.resultRetentionMs ?? RETENTION_MS_DEFAULT,
    holds: { slots: slotsOf(deployment), gpus: deployment.resources.gpuCount },
    ...given,
  };
}

/** A task may wait longer than its deployment says, but not start or run longer. */
function refuseBeyond(requested: Partial<TaskBudgets>, max: TaskBudgets): void {
  for (const [name, ms, maxMs] of [
    ["start", requested.startMs, max.startMs],
    ["run", requested.runMs, max.runMs],
  ] as const) {
    if (ms === undefined || ms <= maxMs) continue;
    const detail = `at most ${maxMs / 1000}, as the service's deployment says`;
    throw invalidRequest([{ pointer: `#/limits/${name}_timeout_seconds`, detail }]);
  }
}

async function servingDeployment(store: Store, service: Service): Promise<Deployment> {
  const id = servingDeploymentId(service);
  if (id === null) throw notReady(service);
  const deployment = store.view.deployments.get(id) ?? (await store.get("deployments", id));
  if (deployment === null) throw new Error(`deployment ${id} of service ${service.id} is not there`);
  return deployment.value;
}

/** Why a service takes no task, and what to do about it. */
export function notReady({ state, nextDeploymentId }: Service): Problem {
  if (state.kind === "deleted") return new Problem("service_not_ready", "The service was deleted; use another.");
  if (state.kind === "failed") {
    const why = `${state.reason}: ${state.message.replace(/\.$/, "")}`;
    return new Problem("service_not_ready", `The service failed to start: ${why}. Correct that and deploy again.`);
  }
  const detail =
    nextDeploymentId === null
      ? "Nothing is deployed to the service yet. Deploy an image to it, then send the task again."
      : "The service is still starting. Send the task again once the service's state is Ready.";
  return new Problem("service_not_ready", detail);
}
