/**
 * A task as the store keeps it. Public spelling lives in public/task-record.ts.
 *
 *   queued ──claim──▶ running ──succeed──▶ succeeded
 *     ▲  │               │ ├──fail──────▶ failed | timed_out
 *     │  └─expire/cancel─┼─┴──cancel────▶ cancelled
 *     └──retry (retry.ts)┘      (queued ──▶ expired | failed | timed_out | cancelled)
 *
 * While a task runs its record is written by nothing but its end or its retry, so the store revision
 * of the claim is the fencing token of the attempt: a write that compares it can only come from the
 * current attempt.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { FailedPhase, Failure } from "./failure.ts";
import { type Timeline, withMark } from "./timeline.ts";

/** Where bytes are: next to the record in the store while small, else in blobs under team and digest. */
export interface BytesRef {
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly where: "store" | "blob";
}

/** Time a task may spend, each budget apart. */
export interface TaskBudgets {
  readonly queueMs: number;
  readonly startMs: number;
  readonly runMs: number;
}

/** What was tried so far. */
export interface AttemptCounts {
  /** Attempts started; the number of the newest. */
  readonly started: number;
  /** Attempts ended by an infrastructure reason other than a lost node. */
  readonly infrastructure: number;
  /** Attempts ended because their node was lost. */
  readonly lost: number;
  /** Attempts ended by `prover_error`. */
  readonly prover: number;
}

interface Queued {
  readonly kind: "queued";
  readonly since: Instant;
  /** Why the attempt before ended; stands if attempts run out. */
  readonly lastFailure: Failure | null;
}

export interface Running {
  readonly kind: "running";
  readonly attempt: number;
  readonly nodeId: string;
  /** The agent process that received the attempt; what it does not carry on is lost with it. */
  readonly sessionId: string;
  readonly assignmentId: string;
  readonly since: Instant;
}

interface Succeeded {
  readonly kind: "succeeded";
  readonly attempt: number;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly result: BytesRef;
}

interface NotSucceeded {
  readonly kind: FailedPhase;
  /** Null if no attempt was started. */
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant;
  readonly failure: Failure;
}

export type TaskPhase = Queued | Running | Succeeded | NotSucceeded;
export type TerminalPhase = Succeeded | NotSucceeded;

/** The phases of a task that has not ended. */
export const OPEN_PHASES = ["queued", "running"] as const;

export interface Task {
  readonly id: string;
  readonly teamId: string;
  readonly serviceId: string;
  readonly serviceName: string;
  /** The user of the key that created it. */
  readonly creatorId: string;
  readonly createdAt: Instant;
  /** Follows the task through every log line. */
  readonly requestId: string;
  /** W3C Trace Context of its acceptance; absent where there is no trace. */
  readonly traceparent?: string;
  readonly input: BytesRef;
  readonly budgets: TaskBudgets;
  /** Lets it pass older tasks of its service: see priority.ts. */
  readonly priority: number;
  /** Further attempts allowed after `prover_error`, 0 to 5. */
  readonly proverRetries: number;
  /** How long input and result are retained after the end (retention.ts); the default where it is not said. */
  readonly retentionMs?: number;
  /** The deployment that it shall show to prove: it runs once, on a workload of that one, and notifies nobody. */
  readonly canaryOf?: string;
  /** What a workload of its service holds while it runs. */
  readonly holds?: { readonly slots: number; readonly gpus: number };
  readonly attempts: AttemptCounts;
  /** Nodes whose attempts failed; passed over while another can serve. */
  readonly avoidNodeIds: readonly string[];
  readonly phase: TaskPhase;
  readonly timeline: Timeline;
}

/** What a new task is made of. */
export type NewTask = Omit<Task, "attempts" | "avoidNodeIds" | "phase" | "timeline">;

/** A task that waits for its first attempt. */
export function queue(task: NewTask): Task {
  return {
    ...task,
    attempts: { started: 0, infrastructure: 0, lost: 0, prover: 0 },
    avoidNodeIds: [],
    phase: { kind: "queued", since: task.createdAt, lastFailure: null },
    timeline: [[task.createdAt, "created"]],
  };
}

/** Starts the next attempt. */
export function claim(task: Task, on: Pick<Running, "nodeId" | "sessionId" | "assignmentId">, now: Instant): Task {
  assertKind(task, "queued");
  const attempt = task.attempts.started + 1;
  return {
    ...task,
    attempts: { ...task.attempts, started: attempt },
    phase: { kind: "running", attempt, since: now, ...on },
    timeline: withMark(task.timeline, [now, "started", on.nodeId]),
  };
}

/** Ends the running attempt with its result. `runMs` is what the agent measured. */
export function succeed(task: Task, result: BytesRef, runMs: number, now: Instant): Task {
  const running = assertKind(task, "running");
  return {
    ...task,
    phase: {
      kind: "succeeded",
      attempt: running.attempt,
      startedAt: startOf(task, runMs, now),
      finishedAt: Math.max(now, task.createdAt),
      result,
    },
    timeline: withMark(task.timeline, [now, "succeeded"]),
  };
}

/** Ends an open task without success. `runMs` is null when no attempt was running. */
export function end(task: Task, kind: FailedPhase, failure: Failure, runMs: number | null, now: Instant): Task {
  if (isTerminal(task.phase)) throw new Error(`task ${task.id} has already ended as ${task.phase.kind}`);
  const startedAt = runMs === null ? null : startOf(task, runMs, now);
  return {
    ...task,
    phase: { kind, startedAt, finishedAt: Math.max(now, task.createdAt), failure },
    timeline: withMark(task.timeline, [now, kind, failure.reason]),
  };
}

/** Ended phases absorb: nothing leaves them. */
export function isTerminal(phase: TaskPhase): phase is TerminalPhase {
  return phase.kind !== "queued" && phase.kind !== "running";
}

/** Narrows to the phase a transition starts from; anything else is a bug of the caller. */
export function assertKind<K extends TaskPhase["kind"]>(task: Task, kind: K): Extract<TaskPhase, { kind: K }> {
  if (task.phase.kind !== kind) throw new Error(`task ${task.id} is ${task.phase.kind}, not ${kind}`);
  return task.phase as Extract<TaskPhase, { kind: K }>;
}

/** Coordinators stamp and agents measure, so that no clock of a node enters a record. */
function startOf(task: Task, runMs: number, now: Instant): Instant {
  return Math.max(task.createdAt, Math.max(now, task.createdAt) - Math.max(0, Math.round(runMs)));
}
