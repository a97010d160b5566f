/** GET /v1/tasks/:id, and with `?wait=` as soon as the task has ended or the time is over. */
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { Caller } from "../../auth/authorize.ts";
import { isTerminal, type Task } from "../../domain/task.ts";
import { refusals } from "../../public/refusals.ts";
import { taskSchema } from "../../public/task-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { withoutSchemaCompilation } from "../endpoint/without-schema-compilation.ts";
import { findTask, seenTask } from "./find-task.ts";
import { sendTask } from "./send-task.ts";
import type { TaskBytesDeps } from "./task-bytes.ts";
import type { TaskTextDeps } from "./task-list.ts";
import type { WaitDeps } from "./task-waits.ts";
import { endOf, waitMsOf, waitQuery } from "./wait-for-end.ts";

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
    ...withoutSchemaCompilation,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const waitMs = waitMsOf(request);
      const caller = keyOf(request);
      const { id } = request.params as { readonly id: string };
      const task =
        waitMs === 0
          ? (await findTask(deps.store, caller, id)).value
          : await taskOnceEnded(deps, reply, { caller, id, timeoutMs: waitMs });
      return sendTask(deps, reply, { status: 200, task, caller });
    },
  });
}

interface Wait {
  readonly caller: Caller;
  readonly id: string;
  readonly timeoutMs: number;
}

async function taskOnceEnded(
  deps: WaitDeps & Pick<RecordDeps, "store" | "clock">,
  reply: FastifyReply,
  { caller, id, timeoutMs }: Wait,
): Promise<Task> {
  const { value: task } = seenTask(deps.store, caller, id) ?? (await findTask(deps.store, caller, id));
  if (isTerminal(task.phase)) return task;
  const ended = await endOf(deps, caller, reply, { task, timeoutMs });
  return (ended ?? (await findTask(deps.store, caller, id))).value;
}
