/**
 * Creates the tasks of a batch that was accepted: some in each commit, which also says how far that is, so each is created once,
 * whoever is stopped in between and however many coordinators try.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { BlobCorruptError, type BlobStore } from "../blobs/blob-store.ts";
import { storeInputBytes } from "../blobs/store-input-bytes.ts";
import { type AbandonedBatch, isComplete, type TaskBatch, taskAt } from "../domain/task-batch.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { TaskMetrics } from "../metrics/task-metrics.ts";
import { create, inputBytes, replace, unchanged } from "../store/change.ts";
import type { Change, Store } from "../store/store.ts";
import { TooManyConflictsError, TRIES_MAX } from "../store/update.ts";
import { cutInputs } from "./cut-inputs.ts";

/** Two keys each, and two more: etcd takes 128 in a transaction. */
const TASKS_OF_A_COMMIT = 50;

export interface ExpandDeps {
  readonly store: Pick<Store, "get" | "commit">;
  readonly blobs: Pick<BlobStore, "open" | "put">;
  readonly clock: Pick<Clock, "now">;
  readonly storeIsNearlyFull: () => boolean;
  readonly metrics: { readonly tasks: Pick<TaskMetrics, "created"> };
  readonly log: Logger;
}

/**
 * As far as it goes: where the store is nearly full it stops, and whoever calls it later continues. `inputs` are those of its body,
 * where the caller has them. Errors of the store and of blobs pass through.
 */
export async function expandBatch(
  deps: ExpandDeps,
  read: Versioned<TaskBatch>,
  inputs?: readonly Buffer[],
): Promise<TaskBatch> {
  let batch = read;
  let known = inputs;
  for (let tries = 1; !isComplete(batch.value) && !deps.storeIsNearlyFull(); tries++) {
    try {
      known ??= await readInputs(deps, batch.value);
      await createNext(deps, batch, known);
    } catch (error) {
      if (!(error instanceof BlobCorruptError)) throw error;
      await abandon(deps, batch, "inputs_damaged");
    }
    const now = await deps.store.get("batches", batch.value.id);
    // Removed with its team.
    if (now === null) return batch.value;
    if (now.value.created > batch.value.created) tries = 0;
    if (tries === TRIES_MAX) throw new TooManyConflictsError([replace("batches", now, now.value)]);
    batch = now;
  }
  return batch.value;
}

/** One that another coordinator was faster with changes nothing. */
async function createNext(deps: ExpandDeps, batch: Versioned<TaskBatch>, inputs: readonly Buffer[]): Promise<void> {
  const { teamId, serviceId, created, id: batchId, requestId } = batch.value;
  const service = await deps.store.get("services", serviceId);
  if (service === null || service.value.state.kind === "deleted") return await abandon(deps, batch, "service_deleted");
  const changes: Change[] = [];
  const next = inputs.slice(created, created + TASKS_OF_A_COMMIT);
  for (const [index, input] of next.entries()) {
    const { ref, data } = await storeInputBytes(deps.blobs, teamId, input);
    const task = taskAt(batch.value, created + index, ref);
    changes.push(create("tasks", task), ...(data === null ? [] : [inputBytes(task.id, data)]));
  }
  const after = { ...batch.value, created: created + next.length };
  const { kind } = await deps.store.commit([
    ...changes,
    unchanged("services", service),
    replace("batches", batch, after),
  ]);
  if (kind === "conflict") return;
  for (const input of next) deps.metrics.tasks.created(input.length);
  deps.log.info(
    { requestId, batchId, serviceId, created: after.created, count: after.count },
    "tasks of a batch created",
  );
}

async function abandon(
  { store, clock, log }: ExpandDeps,
  batch: Versioned<TaskBatch>,
  why: AbandonedBatch,
): Promise<void> {
  const { id: batchId, requestId, created, count } = batch.value;
  const { kind } = await store.commit([
    replace("batches", batch, { ...batch.value, abandoned: { at: clock.now(), why } }),
  ]);
  if (kind === "committed") log.warn({ requestId, batchId, why, created, count }, "the rest of a batch is abandoned");
}

async function readInputs({ blobs }: ExpandDeps, { teamId, body, inputsAt, count }: TaskBatch) {
  const opened = await blobs.open(teamId, body.sha256, { bytes: body.bytes });
  if (opened === null) throw new BlobCorruptError(teamId, body.sha256, null);
  return await cutInputs(Buffer.concat(await opened.stream.toArray()), inputsAt, count);
}
