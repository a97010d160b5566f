/**
 * POST /v1/services/:id. The input is cut out of the body as bytes, or fetched, and stored, and only then acknowledged:
 * small ones in the record's own commit, large ones as a blob before it. With `?wait=` the response shows how the task
 * ended, and with an `Idempotency-Key` it is always about the same task.
 */
import { reachedStage } from "@elastic/std/task-stages.ts";
import type { FastifyReply } from "fastify";
import { INPUT_BYTES_MAX } from "../../domain/limits.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { BodyBudgetDeps } from "../body/body-budget.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { withoutSchemaCompilation } from "../endpoint/without-schema-compilation.ts";
import { idempotencyKeyOf, KeysInFlight } from "../idempotency/idempotency-key.ts";
import { countedBodyOfService } from "../services/counted-body.ts";
import { findService } from "../services/find-service.ts";
import { type AcceptDeps, type Accepted, acceptTask, type NewTaskCall } from "./accept-task.ts";
import { createTaskSchema } from "./create-task-schema.ts";
import { IdempotencyKey, oneTimeRequest } from "./idempotency-key.ts";
import { LARGER_INPUTS, readTaskRequest } from "./read-task-request.ts";
import { sendTask } from "./send-task.ts";
import type { TaskTextDeps } from "./task-list.ts";
import type { WaitDeps } from "./task-waits.ts";
import { traceparentOf } from "./traceparent-of.ts";
import { createdOnceEnded, waitMsOf } from "./wait-for-end.ts";

/** Space for the keys besides `input`. */
const BODY_BYTES_MAX = INPUT_BYTES_MAX + 64 * 1024;

export function createTask(app: App, deps: CallerDeps & AcceptDeps & TaskTextDeps & WaitDeps & BodyBudgetDeps): void {
  const inFlight = new KeysInFlight();
  app.route({
    method: "POST",
    url: "/v1/services/:id",
    schema: createTaskSchema,
    ...withoutSchemaCompilation,
    bodyLimit: BODY_BYTES_MAX,
    config: { largerBodies: `Of an input at most ${INPUT_BYTES_MAX} bytes come inline. ${LARGER_INPUTS}` },
    onRequest: requireKey(deps, "tasks:write"),
    preParsing: countedBodyOfService(deps, BODY_BYTES_MAX),
    handler: async (request, reply) => {
      const { id: serviceId } = request.params as { id: string };
      const waitMs = waitMsOf(request);
      const caller = keyOf(request);
      // Again after the body, which may take minutes.
      const service = await findService(deps.store, caller, serviceId);
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const requested = await readTaskRequest(body);
      const signal = () => goneSignal(reply);
      const traceparent = traceparentOf(request);
      const call = { key: caller, service, requested, requestId: request.id, traceparent, signal };
      const { task: created, isReplay } = await accept(deps, inFlight, call, {
        keyText: idempotencyKeyOf(request),
        body,
      });
      reply.header("location", `${deps.publicUrl()}/v1/tasks/${created.id}`);
      if (isReplay) reply.header("idempotent-replayed", "true");
      const task = waitMs === 0 ? created : await createdOnceEnded(deps, caller, reply, { created, timeoutMs: waitMs });
      reachedStage("published", task.id);
      const input = requested.source.kind === "inline" ? { input: requested.source.bytes } : {};
      return sendTask(deps, reply, { status: 201, task, caller, ...input });
    },
  });
}

/** `keyText` is the `Idempotency-Key` of the request, if it has one. */
async function accept(
  deps: AcceptDeps,
  inFlight: KeysInFlight,
  call: Omit<NewTaskCall, "idempotencyKey">,
  { keyText, body }: { readonly keyText: string | null; readonly body: Buffer },
): Promise<Accepted> {
  if (keyText === null) return await acceptTask(deps, { ...call, idempotencyKey: null });
  const { id: serviceId, teamId } = call.service.value;
  const oneTime = await oneTimeRequest(keyText, { teamId, to: serviceId }, body);
  const idempotencyKey = new IdempotencyKey(deps.store, oneTime);
  return await inFlight.run(oneTime.id, () => acceptTask(deps, { ...call, idempotencyKey }));
}

/** Aborts when the client disconnects before the response. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  return gone.signal;
}
