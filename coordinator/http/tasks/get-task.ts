/** GET /v1/tasks/:id, and with `?wait=` as soon as the task has ended or the time is over. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isTerminal, type Task } from "../../domain/task.ts";
import { refusals } from "../../public/refusals.ts";
import { taskSchema } from "../../public/task-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../caller.ts";
import type { App } from "../fastify-app.ts";
import { readByHand } from "../read-by-hand.ts";
import type { RecordDeps } from "../record-deps.ts";
import type { WaitDeps } from "../task-waits.ts";
import { findTask, seenTask } from "./find-task.ts";
import { sendTask } from "./send-task.ts";
import type { TaskBytesDeps } from "./task-bytes.ts";
import type { TaskTextDeps } from "./task-list.ts";
import { endOf, waitMsOf, waitQuery } from "./wait-answer.ts";

const schema = {
  operationId: "getTask",
  summary: "Get a task",
  tags: ["tasks"],
  params: z.object({ id: z.string() }),
  querystring: waitQuery,
  response: { 200: taskSchema, ...refusals(401, 403, 404, 422, 429, 503) },
};

export function getTask(app: App, deps: CallerDeps & TaskTextDeps & TaskBytesDeps & WaitDeps): void {
  app.route({
    method: "GET",
    url: "/v1/tasks/:id",
    schema,
    ...readByHand,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const waitMs = waitMsOf(request);
      const task = waitMs === 0 ? await taskNow(deps, request) : await taskOnceEnded(deps, request, reply, waitMs);
      return sendTask(deps, reply, { status: 200, task });
    },
  });
}

async function taskNow(deps: Pick<RecordDeps, "store">, request: FastifyRequest): Promise<Task> {
  return (await findTask(deps.store, keyOf(request), idOf(request))).value;
}

async function taskOnceEnded(
  deps: WaitDeps & Pick<RecordDeps, "store" | "clock">,
  request: FastifyRequest,
  reply: FastifyReply,
  timeoutMs: number,
) {
  const key = keyOf(request);
  const id = idOf(request);
  const seen = seenTask(deps.store, key, id) ?? (await findTask(deps.store, key, id));
  if (isTerminal(seen.value.phase)) return seen.value;
  const ended = await endOf(deps, request, reply, { task: seen.value, timeoutMs });
  return ended?.value ?? (await taskNow(deps, request));
}

function idOf(request: FastifyRequest): string {
  return (request.params as { readonly id: string }).id;
}
