/**
 * Where a retry is decided: what becomes of a running task whose attempt ended without a result.
 *
 * Final reasons end the task at once, but for `prover_error` where the service allows more. The others are
 * the machinery's fault: up to 3 attempts. A lost node costs no attempt, up to 5 losses, so that an input
 * that kills its machines does not kill them all. When attempts run out, the last reason stands.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { type Failure, type FailureReason, isInfrastructure, isRetryable, phaseOf } from "./failure.ts";
import { type AttemptCounts, assertKind, end, type Task } from "./task.ts";
import { withMark } from "./timeline.ts";

export const INFRASTRUCTURE_ATTEMPTS_MAX = 3;
export const NODE_LOSSES_MAX = 5;
/** More than this is forgotten, oldest first: the record stays small. */
const AVOIDED_NODES_MAX = 8;

/** What is known of an attempt that ended without a result. */
export interface AttemptFailure {
  readonly reason: FailureReason;
  readonly message: string;
  readonly exitCode: number | null;
  readonly logTail: string;
  /** What the agent measured, 0 where nobody could. */
  readonly runMs: number;
}

/** The task after its running attempt failed: queued again, or ended. */
export function afterFailedAttempt(task: Task, failed: AttemptFailure, now: Instant): Task {
  const running = assertKind(task, "running");
  const attempts = count(task.attempts, failed.reason);
  const failure: Failure = {
    reason: failed.reason,
    message: failed.message,
    retryable: isRetryable(failed.reason),
    attempts: attempts.started,
    exitCode: failed.exitCode,
    logTail: failed.logTail,
  };
  const counted: Task = { ...task, attempts };
  if (!mayRetry(counted, failed.reason)) return end(counted, phaseOf(failed.reason), failure, failed.runMs, now);
  const avoidNodeIds = [...task.avoidNodeIds.filter((id) => id !== running.nodeId), running.nodeId];
  return {
    ...counted,
    avoidNodeIds: avoidNodeIds.slice(-AVOIDED_NODES_MAX),
    phase: { kind: "queued", since: now, lastFailure: failure },
    timeline: withMark(task.timeline, [now, "requeued", failed.reason]),
  };
}

/** The task after the node that ran it was lost, and the attempt with it. */
export function afterLostNode(task: Task, now: Instant): Task {
  const message = "the node that ran the task was lost";
  return afterFailedAttempt(task, { reason: "node_lost", message, exitCode: null, logTail: "", runMs: 0 }, now);
}

/**
 * The task after the store was restored from a backup in which it was running: what ran is ended by its agent, and counts for
 * nothing.
 */
export function afterRestore(task: Task, now: Instant): Task {
  assertKind(task, "running");
  // It would be given to a workload that serves already, as after any lost attempt.
  if (task.canaryOf !== undefined) return afterLostNode(task, now);
  return {
    ...task,
    phase: { kind: "queued", since: now, lastFailure: null },
    timeline: withMark(task.timeline, [now, "requeued", "node_lost"]),
  };
}

function count(attempts: AttemptCounts, reason: FailureReason): AttemptCounts {
  if (reason === "node_lost") return { ...attempts, lost: attempts.lost + 1 };
  if (reason === "prover_error") return { ...attempts, prover: attempts.prover + 1 };
  if (isInfrastructure(reason)) return { ...attempts, infrastructure: attempts.infrastructure + 1 };
  return attempts;
}

function mayRetry(task: Task, reason: FailureReason): boolean {
  // Waiting, it would be given to a workload that serves already.
  if (task.canaryOf !== undefined) return false;
  if (reason === "node_lost") return task.attempts.lost <= NODE_LOSSES_MAX;
  if (reason === "prover_error") return task.attempts.prover <= task.proverRetries;
  return isInfrastructure(reason) && task.attempts.infrastructure < INFRASTRUCTURE_ATTEMPTS_MAX;
}
