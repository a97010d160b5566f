/** Takes a new task in: keeps its input, then creates its record, running at once where that is possible. */
import { reachedStage } from "@elastic/std/task-stages.ts";
import { traceFields } from "@elastic/std/tracing/trace-context.ts";
import type { Tracing } from "@elastic/std/tracing/tracing.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { ClaimAtCreation, Reservation } from "../../domain/claim-at-creation.ts";
import type { Service } from "../../domain/service.ts";
import { queue, type Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { TaskMetrics } from "../../metrics/task-metrics.ts";
import { create, inputBytes, unchanged } from "../../store/change.ts";
import type { Change, CommitOutcome } from "../../store/store.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { countHeld } from "../limits/count-held.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { Problem } from "../problems/problem.ts";
import { findTask } from "./find-task.ts";
import type { IdempotencyKey } from "./idempotency-key.ts";
import { newTask } from "./new-task.ts";
import type { TaskRequest } from "./read-task-request.ts";
import { servingService } from "./serving-service.ts";
import { type InputDeps, storeInput } from "./store-input.ts";

const COMMIT_TRIES = 5;

export interface NewTaskCall {
  readonly key: AccessKey;
  /** As the caller saw it. */
  readonly service: Versioned<Service>;
  readonly requested: TaskRequest;
  readonly requestId: string;
  /** As the request had it, where that can be read. */
  readonly traceparent: string | undefined;
  readonly idempotencyKey: IdempotencyKey | null;
  /** Aborts when nobody waits for the response any more. Made only where something takes long. */
  readonly signal: () => AbortSignal;
}

export interface Accepted {
  readonly task: Task;
  /** The task was there already. */
  readonly isReplay: boolean;
}

export interface AcceptDeps extends RecordDeps, QuotaDeps, InputDeps {
  readonly claims: ClaimAtCreation;
  readonly metrics: { readonly tasks: Pick<TaskMetrics, "created">; readonly tracing: Pick<Tracing, "begin"> };
}

/** Durable when it resolves. */
export async function acceptTask(deps: AcceptDeps, call: NewTaskCall): Promise<Accepted> {
  const attributes = { "elastic.service.id": call.service.value.id };
  const span = deps.metrics.tracing.begin(call.traceparent, { name: "accept", kind: "server", attributes });
  try {
    const accepted = await acceptOnce(deps, { ...call, traceparent: span.traceparent });
    span.end({ attributes: { "elastic.task.id": accepted.task.id } });
    return accepted;
  } catch (error) {
    span.end({ error: error instanceof Problem ? error.code : "internal" });
    throw error;
  }
}

async function acceptOnce(deps: AcceptDeps, call: NewTaskCall): Promise<Accepted> {
  const earlier = await earlierTask(deps, call);
  if (earlier !== null) return earlier;
  const { teamId } = call.service.value;
  const release = deps.quotas.take(
    "openTasksPerTeam",
    teamId,
    countHeld(deps.store.view, "openTasksPerTeam", teamId, deps.clock.now()),
  );
  try {
    return await keepTask(deps, call);
  } finally {
    release();
  }
}

async function keepTask(deps: AcceptDeps, call: NewTaskCall): Promise<Accepted> {
  const { key, requested, requestId, traceparent, idempotencyKey, signal } = call;
  let service = await servingService(deps, key, call.service);
  const owner = { teamId: service.value.teamId, key, signal };
  let input = await storeInput(deps, owner, requested.source);
  // Not `update`: a try after the first reserves no place, and the commit is fenced by the leader that gave the place.
  for (let tries = 0; tries < COMMIT_TRIES; tries++) {
    if (tries > 0) {
      const earlier = await earlierTask(deps, call);
      if (earlier !== null) return earlier;
      service = await readVisible(deps.store, key, "services", service.value.id);
      if (requested.source.kind === "upload") input = await storeInput(deps, owner, requested.source);
    }
    const given = { creatorId: key.userId, requestId, ...(traceparent && { traceparent }) };
    const queued = queue({ ...(await newTask(deps, service.value, requested, given)), input: input.ref });
    reachedStage("accepted", queued.id);
    // Tried once: a leader that was deposed without knowing would offer the same place again.
    const place = tries === 0 ? deps.claims.reserve(queued) : null;
    const task = place?.task ?? queued;
    const outcome = await commitOn(place, deps, [
      create("tasks", task),
      unchanged("services", service),
      ...input.relies,
      ...(input.data === null ? [] : [inputBytes(task.id, input.data)]),
      ...(idempotencyKey === null ? [] : [idempotencyKey.remember({ taskId: task.id, createdAt: task.createdAt })]),
    ]);
    if (outcome.kind === "conflict") continue;
    reachedStage("durable", task.id);
    deps.metrics.tasks.created(task.input.bytes);
    logCreated(deps, call, task);
    return { task, isReplay: false };
  }
  throw new Problem("overloaded", "The service is being changed; send the task again in a moment.");
}

/** Not at `info`: a service of small proofs creates thousands a second. */
function logCreated({ log }: Pick<AcceptDeps, "log">, { requestId, traceparent }: NewTaskCall, task: Task): void {
  if (!log.isLevelEnabled("debug")) return;
  const { id: taskId, serviceId, input } = task;
  log.debug({ requestId, taskId, serviceId, ...traceFields(traceparent), inputBytes: input.bytes }, "task created");
}

async function earlierTask(
  { store }: Pick<RecordDeps, "store">,
  { key, idempotencyKey }: NewTaskCall,
): Promise<Accepted | null> {
  const note = (await idempotencyKey?.earlier()) ?? null;
  return note === null ? null : { task: (await findTask(store, key, note.taskId)).value, isReplay: true };
}

/** On a reserved place the commit holds only while the leader that gave it leads. */
async function commitOn(
  place: Reservation | null,
  { store }: Pick<RecordDeps, "store">,
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
