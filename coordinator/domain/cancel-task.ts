/** An open task as its user cancels it. */
import type { Instant } from "@elastic/std/clock.ts";
import { end, type Task } from "./task.ts";

export function cancelTask(task: Task, now: Instant): Task {
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
