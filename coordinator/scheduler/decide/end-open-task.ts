/** How an open task ends when time or its node runs out. Pure; which tasks are due is known from deadlines. */
import type { Instant } from "@elastic/std/clock.ts";
import type { WorkloadFailure } from "../../domain/assignment.ts";
import { type Failure, type FailureReason, isRetryable, phaseOf } from "../../domain/failure.ts";
import { afterFailedAttempt } from "../../domain/retry.ts";
import { assertKind, end, type Task } from "../../domain/task.ts";

/** A queued task whose queue budget is over. */
export function expireQueued(task: Task, now: Instant): Task {
  const failure = failureOf(
    task,
    "queue_timeout",
    `waited longer than ${seconds(task.budgets.queueMs)} for a workload`,
  );
  return end(task, phaseOf("queue_timeout"), failure, null, now);
}

/** A queued task that waited past its start budget while its service's workloads fail to start. */
export function failStranded(task: Task, workload: WorkloadFailure, now: Instant): Task {
  const failure: Failure = {
    ...failureOf(task, workload.reason, workload.message),
    exitCode: workload.exitCode,
    logTail: workload.logTail,
  };
  return end(task, phaseOf(workload.reason), failure, null, now);
}

/** A running task that its agent should have ended itself. */
export function overrun(task: Task, now: Instant): Task {
  const { since } = assertKind(task, "running");
  const message = `ran longer than ${seconds(task.budgets.runMs)}`;
  return afterFailedAttempt(
    task,
    { reason: "run_timeout", message, exitCode: null, logTail: "", runMs: now - since },
    now,
  );
}

/** An open task of a service that was deleted. */
export function cancelWithService(task: Task, now: Instant): Task {
  const runMs = task.phase.kind === "running" ? now - task.phase.since : null;
  return end(task, phaseOf("cancelled"), failureOf(task, "cancelled", "the service was deleted"), runMs, now);
}

function failureOf(task: Task, reason: FailureReason, message: string): Failure {
  return {
    reason,
    message,
    retryable: isRetryable(reason),
    attempts: task.attempts.started,
    exitCode: null,
    logTail: "",
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
