/**
 * Commits how an attempt ended and acknowledges the report to the agent. The commit compares the claim's
 * revision, so an attempt that is no longer current changes nothing; a duplicate of a report that was committed
 * is acknowledged as such.
 */
import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import {
  type AttemptReport,
  type AttemptSucceeded,
  AttemptVerdict,
  type UploadedResult,
} from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { reachedStage } from "@elastic/std/task-stages.ts";
import { RESULT_BYTES_MAX, SMALL_BYTES_MAX } from "../domain/limits.ts";
import { type AttemptFailure, afterFailedAttempt } from "../domain/retry.ts";
import { type BytesRef, isTerminal, type Running, succeed, type Task } from "../domain/task.ts";
import { endSpan } from "../domain/task-span.ts";
import type { Versioned } from "../domain/versioned.ts";
import { resultBytes } from "../store/change.ts";
import type { Change } from "../store/store.ts";
import { taskChanges } from "../store/task-end.ts";
import { attemptKey, isCurrent, type NamedAttempt, readAttemptRef, whyNeverOn } from "./attempt-ref.ts";
import type { FleetContext } from "./fleet-context.ts";
import { DURATION_MS_MAX } from "./limits.ts";
import type { Link } from "./link.ts";
import { readFailure } from "./read-failure.ts";
import { nameOf } from "./wire-text.ts";

type Context = Pick<FleetContext, "store" | "blobs" | "bounds" | "clock" | "log" | "metrics" | "violations">;

const TRIES = 5;
const SHA256_PATTERN = /^[0-9a-f]{64}$/;

/** Null, and it rejects when the store cannot be reached: it is not acknowledged, so the agent repeats its report. */
export async function receiveReport(
  context: Context,
  link: Link,
  report: AttemptReport,
): Promise<AttemptVerdict | null> {
  const named = readAttemptRef(report.attempt);
  if (named === null || report.outcome === undefined)
    return refuse(context, link, "a report names no attempt or outcome");
  const key = attemptKey(named.taskId, named.revision);
  if (report.outcome.$case === "failed" && readFailure(report.outcome.value) === null) {
    leaveToLater(context, link, key, report.outcome.value.reason);
    return null;
  }
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
  const { store, clock, metrics } = context;
  const fromMs = clock.now();
  reachedStage("reported", named.taskId);
  let task: Versioned<Task> | null | undefined = store.view.tasks.get(named.taskId);
  // Not `update`: the revision of the claim fences the report, so a conflict mostly means that the attempt is over.
  for (let tries = 0; tries < TRIES; tries++) {
    if (!isCurrent(store.epoch, task, named)) task = await store.get("tasks", named.taskId);
    if (task?.value.phase.kind !== "running" || !isCurrent(store.epoch, task, named)) {
      const why = whyNeverOn(store.epoch, task, link.nodeId, named);
      return why === null ? judgePast(context, link, task ?? null, { named, report }) : refuse(context, link, why);
    }
    const { phase } = task.value;
    if (phase.nodeId !== link.nodeId) return refuse(context, link, "the attempt is another node's");
    noteInvalidResult(context, link, report);
    const end = await endOf(context, task.value, report);
    const outcome = await store.commit([...taskChanges(store.view, task, end.after), ...end.bytes]);
    if (outcome.kind === "committed") {
      reachedStage("ended", named.taskId);
      count(context, task.value, phase, end.after, report);
      metrics.tracing.record(end.after.traceparent, endSpan(end.after, fromMs, clock.now()));
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
  const failure = (outcome?.$case === "failed" ? readFailure(outcome.value) : null) ?? UNEXPECTED_STOP;
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
  const sha256 = hash("sha256", data, "hex");
  return { ref: { bytes: data.length, sha256, where: "store" }, data };
}

/** The bytes must be there already, and be as many as said. */
async function readUploaded(
  context: Context,
  task: Task,
  { sha256, sizeBytes }: UploadedResult,
): Promise<Result | Failure> {
  if (!isResultName({ sha256, sizeBytes })) return broken("the result's name is broken");
  const blob = await context.blobs.open(task.teamId, sha256);
  blob?.stream.destroy();
  if (blob?.bytes !== Number(sizeBytes)) return broken("the bytes of the result were not uploaded");
  return { ref: { bytes: blob.bytes, sha256, where: "blob" }, data: null };
}

function isResultName({ sha256, sizeBytes }: UploadedResult): boolean {
  return SHA256_PATTERN.test(sha256) && sizeBytes <= BigInt(RESULT_BYTES_MAX);
}

/** The attempt ends by it all the same: nothing else would end it. That the bytes are gone again is no agent's fault. */
function noteInvalidResult({ violations }: Context, link: Link, { outcome }: AttemptReport): void {
  const result = outcome?.$case === "succeeded" ? outcome.value.result : undefined;
  if (result?.$case !== "uploaded" || isResultName(result.value)) return;
  violations.note(link.nodeId, "attempt", "the result of a report is named by no digest, or too large");
}

function broken(message: string): Failure {
  return { reason: "internal", message, exitCode: null, logTail: "" };
}

/** The attempt is over: by this very report when it was sent before, or by something else. Or there never was such an attempt. */
function judgePast(
  context: Context,
  link: Link,
  task: Versioned<Task> | null,
  { named, report }: { readonly named: NamedAttempt; readonly report: AttemptReport },
): AttemptVerdict {
  const { store, bounds, metrics, log } = context;
  const { taskId, number: attempt } = named;
  if (task !== null && store.epoch === named.storeEpoch && isDuplicateReport(task.value, named, report)) {
    return AttemptVerdict.ATTEMPT_VERDICT_COMMITTED;
  }
  metrics.tasks.stale();
  const isUnknown = task === null;
  if (isUnknown && bounds.unknownAttempts.add(link.nodeId, attemptKey(taskId, named.revision)) === "excess")
    return refuse(context, link, "it reports more attempts of unknown tasks than an agent retains");
  const unlogged = bounds.lines.next(link.nodeId, isUnknown ? "unknown attempt" : "past attempt");
  if (unlogged !== null) {
    const { nodeId } = link;
    log.info({ nodeId, taskId, attempt, unlogged }, "refused a report of an attempt that is no longer current");
  }
  return AttemptVerdict.ATTEMPT_VERDICT_STALE;
}

/** Numbers count up within an epoch, so task and number name the attempt once its claim is overwritten. */
function isDuplicateReport({ phase }: Task, named: NamedAttempt, { outcome }: AttemptReport): boolean {
  if (phase.kind === "succeeded") return outcome?.$case === "succeeded" && phase.attempt === named.number;
  const last = phase.kind === "queued" ? phase.lastFailure : isTerminal(phase) ? phase.failure : null;
  if (last?.attempts !== named.number) return false;
  return outcome?.$case === "failed" && readFailure(outcome.value)?.reason === last.reason;
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

/** A coordinator of a later version, or this one after its upgrade, commits it: until then the attempt has not ended. */
function leaveToLater({ bounds, metrics, log }: Context, { nodeId }: Link, attempt: string, reason: string): void {
  metrics.fleet.reportRefused("attempt");
  const unlogged = bounds.lines.next(nodeId, "unknown reason");
  if (unlogged === null) return;
  const shown = { nodeId, attempt, reason: nameOf(reason, 64), unlogged };
  log.error(shown, "a report's reason is not known here: it waits for a later version");
}

function refuse({ metrics, violations }: Context, link: Link, why: string): AttemptVerdict {
  metrics.fleet.reportRefused("attempt");
  violations.note(link.nodeId, "attempt", why);
  return AttemptVerdict.ATTEMPT_VERDICT_STALE;
}
