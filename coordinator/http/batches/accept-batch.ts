/** Takes a batch in: keeps its body as a blob, then creates its record. */
import { inSlices } from "../../blobs/store-input-bytes.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Service } from "../../domain/service.ts";
import { BATCH_BODY_BYTES_MAX, type TaskBatch, taskIdAt } from "../../domain/task-batch.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { create, unchanged } from "../../store/change.ts";
import { readVisible } from "../access/read-visible.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { countHeld } from "../limits/count-held.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { Problem } from "../problems/problem.ts";
import type { IdempotencyKey } from "../tasks/idempotency-key.ts";
import { newTask } from "../tasks/new-task.ts";
import { servingService } from "../tasks/serving-service.ts";
import type { BatchRequest } from "./read-batch-request.ts";

const COMMIT_TRIES = 5;

export interface BatchCall {
  readonly key: AccessKey;
  /** As the caller saw it. */
  readonly service: Versioned<Service>;
  readonly body: Buffer;
  readonly requested: BatchRequest;
  readonly requestId: string;
  /** Of every task. */
  readonly traceparent: string | undefined;
  readonly idempotencyKey: IdempotencyKey | null;
}

export interface AcceptedBatch {
  readonly batch: Versioned<TaskBatch>;
  /** The batch was there already. */
  readonly isReplay: boolean;
}

type AcceptBatchDeps = RecordDeps & BlobDeps & QuotaDeps;

/** Durable when it resolves. */
export async function acceptBatch(deps: AcceptBatchDeps, call: BatchCall): Promise<AcceptedBatch> {
  const earlier = await earlierBatch(deps, call);
  if (earlier !== null) return earlier;
  const { teamId } = call.service.value;
  const held = countHeld(deps.store.view, "openTasksPerTeam", teamId, deps.clock.now());
  const release = deps.quotas.take("openTasksPerTeam", teamId, held, call.requested.inputs.length);
  try {
    return await keepBatch(deps, call);
  } finally {
    release();
  }
}

async function keepBatch(deps: AcceptBatchDeps, call: BatchCall): Promise<AcceptedBatch> {
  const { key, requested, requestId, traceparent, idempotencyKey } = call;
  const given = { creatorId: key.userId, requestId, ...(traceparent && { traceparent }) };
  const { inputs, inputsAt } = requested;
  let service = await servingService(deps, key, call.service);
  // What it would be refused for, before its bytes are kept.
  await newTask(deps, service.value, requested, given);
  const body = await deps.blobs.put(service.value.teamId, inSlices(call.body), { bytesMax: BATCH_BODY_BYTES_MAX });
  for (let tries = 0; tries < COMMIT_TRIES; tries++) {
    if (tries > 0) {
      const earlier = await earlierBatch(deps, call);
      if (earlier !== null) return earlier;
      service = await readVisible(deps.store, key, "services", service.value.id);
    }
    const begun = await newTask(deps, service.value, requested, given);
    const value: TaskBatch = { ...begun, count: inputs.length, created: 0, body, inputsAt };
    const { id: batchId, serviceId, createdAt } = value;
    const note = { taskId: taskIdAt(value, 0), batchId, createdAt };
    const outcome = await deps.store.commit([
      create("batches", value),
      unchanged("services", service),
      ...(idempotencyKey === null ? [] : [idempotencyKey.remember(note)]),
    ]);
    if (outcome.kind === "conflict") continue;
    deps.log.info({ requestId, batchId, serviceId, count: value.count, bodyBytes: body.bytes }, "batch accepted");
    return { batch: { value, revision: outcome.revision }, isReplay: false };
  }
  throw new Problem("overloaded", "The service is being changed; send the batch again in a moment.");
}

async function earlierBatch(
  { store }: Pick<RecordDeps, "store">,
  { idempotencyKey }: BatchCall,
): Promise<AcceptedBatch | null> {
  const note = (await idempotencyKey?.earlier()) ?? null;
  const batch = note?.batchId === undefined ? null : await store.get("batches", note.batchId);
  return batch === null ? null : { batch, isReplay: true };
}
