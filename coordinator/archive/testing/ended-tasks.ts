/** Tasks that have ended, complete and plausible, with what a test cares about given. */
import { newId } from "@elastic/std/ids.ts";
import type { FailedPhase, FailureReason } from "../../domain/failure.ts";
import { claim, end, type NewTask, queue, succeed, type Task } from "../../domain/task.ts";
import type { ArchivedTask } from "../archive.ts";

export interface Given extends Partial<NewTask> {
  /** How it ended; default succeeded. */
  readonly phase?: "succeeded" | FailedPhase;
  /** Of one that did not succeed; default that of its phase. */
  readonly reason?: FailureReason;
  /** Default: a second each. Null queue time: it was never started. */
  readonly queueMs?: number | null;
  readonly runMs?: number;
  /** A large result in blobs; default a small one. */
  readonly resultBlob?: string;
}

export function anEndedTask(given: Given = {}): Task {
  const { phase = "succeeded", queueMs = 1_000, runMs = 1_000, resultBlob, reason, ...rest } = given;
  const createdAt = rest.createdAt ?? 1_700_000_000_000;
  const queued = queue({
    id: newId(createdAt),
    teamId: "0".repeat(31).concat("a"),
    serviceId: "0".repeat(31).concat("5"),
    serviceName: "prover",
    creatorId: "0".repeat(31).concat("c"),
    createdAt,
    requestId: "request",
    input: { bytes: 5, sha256: "1".repeat(64), where: "store" },
    budgets: { queueMs: 1, startMs: 1, runMs: 1 },
    priority: 0,
    proverRetries: 0,
    holds: { slots: 2, gpus: 2 },
    ...rest,
  });
  const wasStarted = queueMs !== null;
  const startedAt = createdAt + (queueMs ?? 0);
  const open = wasStarted
    ? claim(queued, { nodeId: "node", sessionId: "session", assignmentId: "assignment" }, startedAt)
    : queued;
  const now = startedAt + runMs;
  if (phase === "succeeded") {
    const result =
      resultBlob === undefined
        ? ({ bytes: 6, sha256: "2".repeat(64), where: "store" } as const)
        : ({ bytes: 9_000, sha256: resultBlob, where: "blob" } as const);
    return succeed(open, result, runMs, now);
  }
  const failure = {
    reason: reason ?? (phase === "cancelled" ? "cancelled" : "internal"),
    message: "it ended",
    retryable: false,
    attempts: open.attempts.started,
    exitCode: null,
    logTail: "",
  } as const;
  return end(open, phase, failure, wasStarted ? runMs : null, now);
}

/** With bytes where its record says that they are small. */
export function archived(task: Task): ArchivedTask {
  return {
    task,
    input: task.input.where === "store" ? Buffer.from(`in ${task.id.slice(-2)}`) : null,
    result:
      task.phase.kind === "succeeded" && task.phase.result.where === "store" ? Buffer.from("\0\xff result") : null,
  };
}
