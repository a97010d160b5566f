/** POST /v1/tasks/:id/cancel. It is idempotent, and no error for a task that has ended: the response has its state. */
import { z } from "zod";
import { refusals } from "../../public/refusals.ts";
import { taskSchema } from "../../public/task-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { withoutSchemaCompilation } from "../endpoint/without-schema-compilation.ts";
import { type CancelDeps, cancelOne } from "./cancel-one.ts";
import { findTask } from "./find-task.ts";
import { sendTask } from "./send-task.ts";
import type { TaskBytesDeps } from "./task-bytes.ts";
import type { TaskTextDeps } from "./task-list.ts";

const schema = {
  operationId: "cancelTask",
  summary: "Cancel a task",
  tags: ["tasks"],
  params: z.object({ id: z.string() }),
  response: {
    200: taskSchema.extend({ cancelled: z.boolean().describe("Whether the task stands as cancelled.") }),
    ...refusals(401, 403, 404, 503),
  },
};

export function cancelTask(app: App, deps: CallerDeps & CancelDeps & TaskTextDeps & TaskBytesDeps): void {
  app.route({
    method: "POST",
    url: "/v1/tasks/:id/cancel",
    schema,
    ...withoutSchemaCompilation,
    onRequest: requireKey(deps, "tasks:write"),
    handler: async (request, reply) => {
      const { id } = request.params as { id: string };
      const caller = keyOf(request);
      const read = () => findTask(deps.store, caller, id);
      const task = await cancelOne(deps, await read(), read, request.id);
      return sendTask(deps, reply, {
        status: 200,
        task,
        caller,
        extra: `,"cancelled":${task.phase.kind === "cancelled"}`,
      });
    },
  });
}
