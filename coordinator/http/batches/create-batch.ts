/**
 * POST /v1/services/:id/batch. The batch is durable as one record before anything is created of it, so it is accepted or
 * refused whole. Then its tasks are created here; where that breaks off, by the coordinator that leads (batches/batch-loop.ts).
 */
import { z } from "zod";
import { type ExpandDeps, expandBatch } from "../../batches/expand-batch.ts";
import { INPUT_BYTES_MAX } from "../../domain/limits.ts";
import {
  BATCH_BODY_BYTES_MAX,
  BATCH_BYTES_MAX,
  BATCH_INPUTS_MAX,
  isComplete,
  type TaskBatch,
} from "../../domain/task-batch.ts";
import { batchRecord, batchSchema } from "../../public/batch-record.ts";
import { refusals } from "../../public/refusals.ts";
import { taskOptionsSchema } from "../../public/task-request.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { BodyBudgetDeps } from "../body/body-budget.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { withoutSchemaCompilation } from "../endpoint/without-schema-compilation.ts";
import { idempotencyHeaders } from "../idempotency/create-once.ts";
import { idempotencyKeyOf, KeysInFlight } from "../idempotency/idempotency-key.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { countedBodyOfService } from "../services/counted-body.ts";
import { findService } from "../services/find-service.ts";
import { IdempotencyKey, oneTimeRequest } from "../tasks/idempotency-key.ts";
import { traceparentOf } from "../tasks/traceparent-of.ts";
import { acceptBatch, type BatchCall } from "./accept-batch.ts";
import { readBatchRequest } from "./read-batch-request.ts";

const schema = {
  operationId: "createBatch",
  summary: "Create many tasks",
  description:
    `At most ${BATCH_INPUTS_MAX} inputs of ${BATCH_BYTES_MAX} bytes together: a task for each of them, all of them or none. ` +
    "With status 202 the batch is durable, and the rest of its tasks is created within seconds.",
  tags: ["tasks"],
  params: z.object({ id: z.string().describe("The service.") }),
  headers: idempotencyHeaders,
  body: taskOptionsSchema
    .pick({ priority: true, limits: true })
    .extend({
      inputs: z
        .array(z.unknown())
        .min(1)
        .max(BATCH_INPUTS_MAX)
        .describe(`Each is handed to the prover byte for byte. At most ${INPUT_BYTES_MAX} bytes each.`),
    })
    .loose()
    .describe("The options hold for every task. Other keys are ignored; a key that stands twice is refused."),
  response: { 201: batchSchema, 202: batchSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503, 507) },
};

export type CreateBatchDeps = CallerDeps & RecordDeps & BlobDeps & QuotaDeps & BodyBudgetDeps & ExpandDeps;

export function createBatch(app: App, deps: CreateBatchDeps): void {
  const inFlight = new KeysInFlight();
  app.route({
    method: "POST",
    url: "/v1/services/:id/batch",
    schema,
    validatorCompiler: withoutSchemaCompilation.validatorCompiler,
    bodyLimit: BATCH_BODY_BYTES_MAX,
    config: {
      largerBodies: `Of the inputs of a batch at most ${BATCH_BYTES_MAX} bytes come together. Send several batches.`,
    },
    onRequest: requireKey(deps, "tasks:write"),
    preParsing: countedBodyOfService(deps, BATCH_BODY_BYTES_MAX),
    handler: async (request, reply) => {
      const { id: serviceId } = request.params as { id: string };
      const key = keyOf(request);
      // Again after the body, which may take minutes.
      const service = await findService(deps.store, key, serviceId);
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const requested = await readBatchRequest(body);
      const call = { key, service, body, requested, requestId: request.id, traceparent: traceparentOf(request) };
      const { batch, isReplay } = await accept(deps, inFlight, call, idempotencyKeyOf(request));
      reply.header("location", `${deps.publicUrl()}/v1/batches/${batch.id}`);
      if (isReplay) reply.header("idempotent-replayed", "true");
      return reply.code(isComplete(batch) ? 201 : 202).send(batchRecord(batch));
    },
  });
}

/** Accepted, and its tasks created as far as that goes: what is left is created by the leader. */
async function accept(
  deps: CreateBatchDeps,
  inFlight: KeysInFlight,
  call: Omit<BatchCall, "idempotencyKey">,
  keyText: string | null,
): Promise<{ readonly batch: TaskBatch; readonly isReplay: boolean }> {
  if (keyText === null) return await acceptAndCreate(deps, { ...call, idempotencyKey: null });
  const { id: serviceId, teamId } = call.service.value;
  const oneTime = await oneTimeRequest(keyText, { teamId, to: `${serviceId}/batch` }, call.body);
  const idempotencyKey = new IdempotencyKey(deps.store, oneTime);
  return await inFlight.run(oneTime.id, () => acceptAndCreate(deps, { ...call, idempotencyKey }));
}

async function acceptAndCreate(deps: CreateBatchDeps, call: BatchCall) {
  const { batch, isReplay } = await acceptBatch(deps, call);
  try {
    return { batch: await expandBatch(deps, batch, call.requested.inputs), isReplay };
  } catch (err) {
    deps.log.warn({ err, requestId: call.requestId, batchId: batch.value.id }, "the leader continues a batch");
    return { batch: batch.value, isReplay };
  }
}
