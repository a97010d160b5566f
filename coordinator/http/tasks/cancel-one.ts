/** Cancels one task, whoever changes it meanwhile. */
import { end, isTerminal, type Task } from "../../domain/task.ts";
import type { Versioned } from "../../store/store.ts";
import { taskChanges } from "../../store/task-end.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";

/** A task changes hands a few times in its life; more conflicts than this are not its own. */
const TRIES = 20;

/** The task as it has ended. `seen` may be behind; `read` is asked for what is true now. */
export async function cancelOne(
  deps: HttpDeps,
  seen: Versioned<Task>,
  read: () => Promise<Versioned<Task>>,
  requestId: string,
): Promise<Task> {
  let task = seen;
  for (let tries = 0; tries < TRIES; tries++) {
    if (isTerminal(task.value.phase)) return task.value;
    const now = deps.clock.now();
    const cancelled = cancelledTask(task.value, now);
    const outcome = await deps.store.commit(taskChanges(deps.store.view, task, cancelled));
    if (outcome.kind === "committed") {
      deps.metrics.tasks.ended("cancelled", "cancelled", now - cancelled.createdAt);
      deps.log.info({ requestId, taskId: cancelled.id }, "task cancelled");
      return cancelled;
    }
    task = await read();
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
