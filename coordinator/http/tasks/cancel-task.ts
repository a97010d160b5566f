/** POST /v1/tasks/:id/cancel. Asking twice, or for a task that has ended, is no error: the answer says how it stands. */
import { z } from "zod";
import type { AccessKey } from "../../domain/access-key.ts";
import { end, isTerminal, type Task } from "../../domain/task.ts";
import { taskChanges } from "../../store/task-end.ts";
import type { App } from "../app.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { readByHand } from "../read-by-hand.ts";
import { refusals } from "../wire/refusals.ts";
import { taskSchema } from "../wire/task-record.ts";
import { findTask } from "./find-task.ts";
import { sendTask } from "./send-task.ts";

/** A task changes hands a few times in its life; more conflicts than this are not its own. */
const TRIES = 20;

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

export function cancelTask(app: App, deps: HttpDeps): void {
  app.route({
    method: "POST",
    url: "/v1/tasks/:id/cancel",
    schema,
    ...readByHand,
    onRequest: requireKey(deps, "tasks:write"),
    handler: async (request, reply) => {
      const { id } = request.params as { id: string };
      const task = await cancel(deps, keyOf(request), id, request.id);
      return sendTask(deps, reply, { status: 200, task, extra: `,"cancelled":${task.phase.kind === "cancelled"}` });
    },
  });
}

async function cancel(deps: HttpDeps, key: AccessKey, id: string, requestId: string): Promise<Task> {
  for (let tries = 0; tries < TRIES; tries++) {
    const task = await findTask(deps.store, key, id);
    if (isTerminal(task.value.phase)) return task.value;
    const now = deps.clock.now();
    const cancelled = cancelledTask(task.value, now);
    const outcome = await deps.store.commit(taskChanges(deps.store.view, task, cancelled));
    if (outcome.kind === "conflict") continue;
    deps.metrics.tasks.ended("cancelled", "cancelled", now - cancelled.createdAt);
    deps.log.info({ requestId, taskId: id }, "task cancelled");
    return cancelled;
  }
  throw new Problem("overloaded", "The task changes too quickly; ask again in a moment.");
}

function cancelledTask(task: Task, now: number): Task {
  const runMs = task.phase.kind === "running" ? now - task.phase.since : null;
  const failure = {
    reason: "cancelled",
    message: "The task was cancelled.",
    retryable: false,
    attempts: task.attempts.started,
    exitCode: null,
    logTail: "",
  } as const;
  return end(task, "cancelled", failure, runMs, now);
}
