/**
 * Commits how an attempt ended and acknowledges the report to the agent. The commit compares the claim's
 * revision, so an attempt that is no longer current changes nothing; a duplicate of a report that was committed
 * is acknowledged as such.
 */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import {
  type AttemptReport,
  type AttemptSucceeded,
  AttemptVerdict,
  type UploadedResult,
} from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { RESULT_BYTES_MAX, SMALL_BYTES_MAX } from "../domain/limits.ts";
import { type AttemptFailure, afterFailedAttempt } from "../domain/retry.ts";
import { type BytesRef, isTerminal, type Running, succeed, type Task } from "../domain/task.ts";
import type { Versioned } from "../domain/versioned.ts";
import { resultBytes } from "../store/change.ts";
import type { Change } from "../store/store.ts";
import { taskChanges } from "../store/task-end.ts";
import { attemptKey, isCurrent, type NamedAttempt, readAttemptRef } from "./attempt-ref.ts";
import type { FleetContext } from "./fleet-context.ts";
import { DURATION_MS_MAX } from "./limits.ts";
import type { Link } from "./link.ts";
import { readFailure } from "./read-failure.ts";

type Context = Pick<FleetContext, "store" | "blobs" | "clock" | "log" | "metrics">;

const TRIES = 5;
const SHA256_PATTERN = /^[0-9a-f]{64}$/;

/** Rejects when the store cannot be reached: the agent repeats its report then. */
export async function receiveReport(context: Context, link: Link, report: AttemptReport): Promise<AttemptVerdict> {
  const named = readAttemptRef(report.attempt);
  if (named === null || report.outcome === undefined) return refuse(context, link, "it names no attempt or outcome");
  const key = attemptKey(named.taskId, named.revision);
  link.reporting.add(key);
  try {
    return await commitReport(context, link, named, report);
  } finally {
    link.reporting.delete(key);
  }
}

async function commitReport(
  context: Context,
  link: Link,
  named: NamedAttempt,
  report: AttemptReport,
): Promise<AttemptVerdict> {
  const { store } = context;
  let task: Versioned<Task> | null | undefined = store.view.tasks.get(named.taskId);
  // Not `update`: the revision of the claim fences the report, so a conflict mostly means that the attempt is over.
  for (let tries = 0; tries < TRIES; tries++) {
    if (!isCurrent(store.epoch, task, named)) task = await store.get("tasks", named.taskId);
    if (task?.value.phase.kind !== "running" || !isCurrent(store.epoch, task, named)) {
      return judgePast(context, task ?? null, named, report);
    }
    const { phase } = task.value;
    if (phase.nodeId !== link.nodeId) return refuse(context, link, "the attempt is another node's");
    const end = await endOf(context, task.value, report);
    const outcome = await store.commit([...taskChanges(store.view, task, end.after), ...end.bytes]);
    if (outcome.kind === "committed") {
      count(context, task.value, phase, end.after, report);
      return AttemptVerdict.ATTEMPT_VERDICT_COMMITTED;
    }
    task = null;
  }
  throw new Error(`task ${named.taskId} changes too quickly`);
}

interface End {
  readonly after: Task;
  readonly bytes: readonly Change[];
}

async function endOf(context: Context, task: Task, report: AttemptReport): Promise<End> {
  const now = context.clock.now();
  const runMs = duration(report.runMs);
  const { outcome } = report;
  if (outcome?.$case === "succeeded") {
    const result = await readResult(context, task, outcome.value);
    if ("message" in result) return { after: afterFailedAttempt(task, { ...result, runMs }, now), bytes: [] };
    const bytes = result.data === null ? [] : [resultBytes(task.id, result.data)];
    return { after: succeed(task, result.ref, runMs, now), bytes };
  }
  const failure = outcome?.$case === "failed" ? readFailure(outcome.value) : UNEXPECTED_STOP;
  return { after: afterFailedAttempt(task, { ...failure, runMs }, now), bytes: [] };
}

type Failure = Omit<AttemptFailure, "runMs">;

/** The attempt is still current, so nobody wanted it stopped. */
const UNEXPECTED_STOP: Failure = {
  reason: "internal",
  message: "the agent stopped the attempt",
  exitCode: null,
  logTail: "",
};

interface Result {
  readonly ref: BytesRef;
  /** What is stored next to the record; null for a blob. */
  readonly data: Buffer | null;
}

async function readResult(context: Context, task: Task, succeeded: AttemptSucceeded): Promise<Result | Failure> {
  const { result } = succeeded;
  if (result?.$case === "uploaded") return await readUploaded(context, task, result.value);
  if (result === undefined) return broken("the report of a success has no result");
  const data = result.value;
  if (data.length === 0) return { ...broken("the result is empty"), reason: "bad_output" };
  if (data.length > SMALL_BYTES_MAX) return broken(`a result of ${data.length} bytes came with the report`);
  if (!isUtf8(data)) return { ...broken("the result is not UTF-8"), reason: "bad_output" };
  const sha256 = createHash("sha256").update(data).digest("hex");
  return { ref: { bytes: data.length, sha256, where: "store" }, data };
}

/** The bytes must be there already, and be as many as said. */
async function readUploaded(
  context: Context,
  task: Task,
  { sha256, sizeBytes }: UploadedResult,
): Promise<Result | Failure> {
  if (!SHA256_PATTERN.test(sha256) || sizeBytes > BigInt(RESULT_BYTES_MAX))
    return broken("the result's name is broken");
  const blob = await context.blobs.open(task.teamId, sha256);
  blob?.stream.destroy();
  if (blob?.bytes !== Number(sizeBytes)) return broken("the bytes of the result were not uploaded");
  return { ref: { bytes: blob.bytes, sha256, where: "blob" }, data: null };
}

function broken(message: string): Failure {
  return { reason: "internal", message, exitCode: null, logTail: "" };
}

/** The attempt is over: by this very report when it was sent before, or by something else. */
function judgePast(
  { store, metrics, log }: Context,
  task: Versioned<Task> | null,
  named: NamedAttempt,
  report: AttemptReport,
): AttemptVerdict {
  if (task !== null && store.epoch === named.storeEpoch && isDuplicateReport(task.value, named, report)) {
    return AttemptVerdict.ATTEMPT_VERDICT_COMMITTED;
  }
  metrics.tasks.stale();
  log.info({ taskId: named.taskId, attempt: named.number }, "refused a report of an attempt that is no longer current");
  return AttemptVerdict.ATTEMPT_VERDICT_STALE;
}

/** Numbers count up within an epoch, so task and number name the attempt once its claim is overwritten. */
function isDuplicateReport({ phase }: Task, named: NamedAttempt, { outcome }: AttemptReport): boolean {
  if (phase.kind === "succeeded") return outcome?.$case === "succeeded" && phase.attempt === named.number;
  const last = phase.kind === "queued" ? phase.lastFailure : isTerminal(phase) ? phase.failure : null;
  if (last?.attempts !== named.number) return false;
  return outcome?.$case === "failed" && readFailure(outcome.value).reason === last.reason;
}

function count({ metrics, clock }: Context, before: Task, claimed: Running, after: Task, report: AttemptReport): void {
  const { phase } = after;
  metrics.tasks.started(claimed.since - before.createdAt + duration(report.waitMs));
  if (phase.kind === "queued") metrics.tasks.requeued(phase.lastFailure?.reason ?? "internal");
  if (!isTerminal(phase)) return;
  const reason = phase.kind === "succeeded" ? null : phase.failure.reason;
  metrics.tasks.ended(phase.kind, reason, clock.now() - before.createdAt);
}

function duration(ms: bigint): number {
  return ms > BigInt(DURATION_MS_MAX) ? DURATION_MS_MAX : Number(ms);
}

function refuse({ metrics, log }: Context, link: Link, why: string): AttemptVerdict {
  metrics.fleet.reportRefused("attempt");
  log.warn({ nodeId: link.nodeId, why }, "refused a report");
  return AttemptVerdict.ATTEMPT_VERDICT_STALE;
}
