/**
 * POST /v1/services/:id. The input is cut out of the body as bytes, kept, and only then acknowledged: small ones in
 * the record's own commit, large ones as a blob before it. With `?wait=` the answer tells how the task ended.
 */
import type { FastifyRequest } from "fastify";
import { INPUT_BYTES_MAX } from "../../domain/limits.ts";
import type { App } from "../app.ts";
import { sentence } from "../body/raw-json.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { readByHand } from "../read-by-hand.ts";
import { findService } from "../services/find-service.ts";
import { isOneSlice, passGate, passGateNow } from "../wire/json-gate.ts";
import { acceptTask } from "./accept-task.ts";
import { createTaskSchema } from "./create-task-schema.ts";
import { sendTask } from "./send-task.ts";
import { createdOnceEnded, waitMsOf } from "./wait-answer.ts";

/** Room for the keys beside `input`, which are ignored. */
const BODY_BYTES_MAX = INPUT_BYTES_MAX + 64 * 1024;

export function createTask(app: App, deps: HttpDeps): void {
  app.route({
    method: "POST",
    url: "/v1/services/:id",
    schema: createTaskSchema,
    ...readByHand,
    bodyLimit: BODY_BYTES_MAX,
    onRequest: requireKey(deps, "tasks:write"),
    preParsing: async (request, reply) => {
      const declared = Number(request.headers["content-length"] ?? BODY_BYTES_MAX);
      const give = deps.bodyBudget.take(keyOf(request).id, Math.min(declared, BODY_BYTES_MAX));
      if (give !== null) reply.raw.once("close", give);
    },
    handler: async (request, reply) => {
      const { id: serviceId } = request.params as { id: string };
      const key = keyOf(request);
      const waitMs = waitMsOf(request);
      const service = await findService(deps.store, key, serviceId);
      const input = await cutInput(request);
      const created = await acceptTask(deps, { key, service, input, requestId: request.id });
      reply.header("location", `${deps.publicUrl()}/v1/tasks/${created.id}`);
      const task =
        waitMs === 0 ? created : await createdOnceEnded(deps, request, reply, { created, timeoutMs: waitMs });
      return sendTask(deps, reply, { status: 201, task, input });
    },
  });
}

/** The value of `input`, byte for byte. */
async function cutInput(request: FastifyRequest): Promise<Buffer> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const outcome = isOneSlice(body) ? passGateNow(body, "input") : await passGate(body, "input");
  if (outcome.kind === "refused") throw new Problem(outcome.code, sentence(outcome.detail));
  if (outcome.found === null) throw new Problem("input_missing", "The body has no `input`.");
  const { start, end } = outcome.found;
  if (end - start > INPUT_BYTES_MAX) {
    throw new Problem("input_too_large", `The input has ${end - start} bytes; at most ${INPUT_BYTES_MAX} are taken.`);
  }
  return body.subarray(start, end);
}
