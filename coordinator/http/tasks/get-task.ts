/** GET /v1/tasks/:id, and with `?wait=` as soon as the task has ended or the time is over. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isTerminal, type Task } from "../../domain/task.ts";
import type { App } from "../app.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { readByHand } from "../read-by-hand.ts";
import { refusals } from "../wire/refusals.ts";
import { taskSchema } from "../wire/task-record.ts";
import { findTask, seenTask } from "./find-task.ts";
import { sendTask } from "./send-task.ts";

const WAIT_S_MAX = 300;

const schema = {
  operationId: "getTask",
  summary: "Get a task",
  tags: ["tasks"],
  params: z.object({ id: z.string() }),
  querystring: z.object({
    wait: z.int().min(0).max(WAIT_S_MAX).optional().describe("Seconds to wait for the task to end."),
  }),
  response: { 200: taskSchema, ...refusals(401, 403, 404, 422, 429, 503) },
};

export function getTask(app: App, deps: HttpDeps): void {
  app.route({
    method: "GET",
    url: "/v1/tasks/:id",
    schema,
    ...readByHand,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const waitMs = waitOf(request) * 1000;
      const task = waitMs === 0 ? await taskNow(deps, request) : await taskOnceEnded(deps, request, reply, waitMs);
      return sendTask(deps, reply, { status: 200, task });
    },
  });
}

async function taskNow(deps: HttpDeps, request: FastifyRequest): Promise<Task> {
  return (await findTask(deps.store, keyOf(request), idOf(request))).value;
}

async function taskOnceEnded(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply, timeoutMs: number) {
  const key = keyOf(request);
  const id = idOf(request);
  const seen = seenTask(deps.store, key, id) ?? (await findTask(deps.store, key, id));
  if (isTerminal(seen.value.phase)) return seen.value;
  const onGone = (giveUp: () => void) => reply.raw.once("close", giveUp);
  const ended = await deps.waits.wait({ taskId: id, keyId: key.id, timeoutMs, onGone });
  return ended?.value ?? (await taskNow(deps, request));
}

function waitOf(request: FastifyRequest): number {
  const { wait } = request.query as { readonly wait?: unknown };
  if (wait === undefined) return 0;
  const seconds = typeof wait === "string" && /^\d{1,3}$/.test(wait) ? Number(wait) : Number.NaN;
  if (seconds <= WAIT_S_MAX) return seconds;
  throw new Problem("invalid_request", `wait must be a whole number of seconds from 0 to ${WAIT_S_MAX}.`, {
    errors: [{ pointer: "querystring/wait", detail: `from 0 to ${WAIT_S_MAX}` }],
  });
}

function idOf(request: FastifyRequest): string {
  return (request.params as { readonly id: string }).id;
}
