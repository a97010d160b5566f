/** Takes a new task in: keeps its input, then creates its record, running at once where that is possible. */
import { hash } from "node:crypto";
import { newId } from "@elastic/std/ids.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Reservation } from "../../domain/claim-at-creation.ts";
import type { Deployment } from "../../domain/deployment.ts";
import { INPUT_BYTES_MAX, SMALL_BYTES_MAX } from "../../domain/limits.ts";
import { type Service, servingDeploymentId } from "../../domain/service.ts";
import { type BytesRef, OPEN_PHASES, queue, type Task } from "../../domain/task.ts";
import { create, inputBytes, unchanged } from "../../store/change.ts";
import type { Change, CommitOutcome, Versioned } from "../../store/store.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { readService } from "../services/find-service.ts";
import { slices } from "../wire/json-text.ts";

const COMMIT_TRIES = 5;
const BLOB_SLICE_BYTES = 256 * 1024;

export interface NewTaskCall {
  readonly key: AccessKey;
  /** As the caller saw it. */
  readonly service: Versioned<Service>;
  readonly input: Buffer;
  readonly requestId: string;
}

/** Durable when it resolves. */
export async function acceptTask(deps: HttpDeps, call: NewTaskCall): Promise<Task> {
  const { teamId } = call.service.value;
  const giveBack = deps.quotas.take("openTasksPerTeam", teamId, openTasksOf(deps, teamId));
  try {
    return await keepTask(deps, call);
  } finally {
    giveBack();
  }
}

async function keepTask(deps: HttpDeps, call: NewTaskCall): Promise<Task> {
  const { key, input, requestId } = call;
  const { teamId } = call.service.value;
  const kept = await keepInput(deps, teamId, input);
  let { service } = call;
  for (let tries = 0; tries < COMMIT_TRIES; tries++) {
    if (tries > 0 || servingDeploymentId(service.value) === null) {
      service = await readService(deps.store, key, service.value.id);
    }
    const queued = await newTask(deps, service.value, { creatorId: key.userId, requestId, input: kept });
    // Tried once: a leader that was deposed without knowing would offer the same place again.
    const place = tries === 0 ? deps.claims.reserve(queued) : null;
    const task = place?.task ?? queued;
    const bytes = kept.where === "store" ? [inputBytes(task.id, input)] : [];
    const outcome = await commitOn(place, deps, [create("tasks", task), unchanged("services", service), ...bytes]);
    if (outcome.kind === "conflict") continue;
    deps.metrics.tasks.created(input.length);
    deps.log.info(
      { requestId, taskId: task.id, serviceId: service.value.id, inputBytes: input.length },
      "task created",
    );
    return task;
  }
  throw new Problem("overloaded", "The service is being changed; send the task again in a moment.");
}

/** On a reserved place the commit holds only while the leader that gave it leads. */
async function commitOn(
  place: Reservation | null,
  { store }: HttpDeps,
  changes: readonly Change[],
): Promise<CommitOutcome> {
  if (place === null) return await store.commit(changes);
  let settle = place.release;
  try {
    const outcome = await store.commit(changes, { epoch: place.epoch });
    if (outcome.kind === "committed") settle = place.confirm;
    return outcome;
  } finally {
    settle();
  }
}

function openTasksOf({ store }: HttpDeps, teamId: string): number {
  return store.view.tasks.list({ teamId, phases: OPEN_PHASES }, { offset: 0, limit: 0 }).total;
}

async function keepInput(deps: HttpDeps, teamId: string, input: Buffer): Promise<BytesRef> {
  if (input.length <= SMALL_BYTES_MAX) {
    return { bytes: input.length, sha256: hash("sha256", input, "hex"), where: "store" };
  }
  const source = (async function* () {
    yield* slices(input, BLOB_SLICE_BYTES);
  })();
  return { ...(await deps.blobs.put(teamId, source, { bytesMax: INPUT_BYTES_MAX })), where: "blob" };
}

async function newTask(
  { store, clock }: HttpDeps,
  service: Service,
  given: Pick<Task, "creatorId" | "requestId" | "input">,
): Promise<Task> {
  const { limits } = await servingDeployment(store, service);
  const now = clock.now();
  return queue({
    id: newId(now),
    teamId: service.teamId,
    serviceId: service.id,
    serviceName: service.name,
    createdAt: now,
    budgets: limits.budgets,
    priority: 0,
    proverRetries: limits.proverRetries,
    ...given,
  });
}

async function servingDeployment(store: HttpDeps["store"], service: Service): Promise<Deployment> {
  const id = servingDeploymentId(service);
  if (id === null) throw notReady(service);
  const deployment = store.view.deployments.get(id) ?? (await store.get("deployments", id));
  if (deployment === null) throw new Error(`deployment ${id} of service ${service.id} is not there`);
  return deployment.value;
}

function notReady({ state }: Service): Problem {
  if (state.kind === "failed") {
    return new Problem("service_not_ready", `The service failed to start: ${state.reason}: ${state.message}`);
  }
  const why = state.kind === "deleted" ? "was deleted" : "has not been ready yet";
  return new Problem("service_not_ready", `The service ${why}.`);
}
