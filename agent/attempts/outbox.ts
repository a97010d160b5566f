/**
 * Outcomes on their way to a coordinator: sent at once, sent again until acknowledged, and put on disk when that
 * takes long. A result too long for a report is uploaded before its outcome is sent.
 *
 *   added ─▶ (uploading ─▶) sent ─▶ sent again … ─▶ acknowledged
 *      └────────┴─────────────┴─ after a moment, or without a link: spooled too
 */
import type { AgentFailureReason } from "@elastic/proto/failure-reasons.ts";
import {
  type AttemptAck,
  type AttemptRef,
  type AttemptReport,
  AttemptVerdict,
} from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { readTraceparent } from "@elastic/std/tracing/trace-context.ts";
import type { Tracing } from "@elastic/std/tracing/tracing.ts";
import { type AttemptKey, attemptKey } from "../domain/attempt-key.ts";
import { batches } from "./report-batches.ts";
import type { Spool } from "./spool.ts";

/** The way to the coordinators. */
export interface ReportSender {
  linked(): boolean;
  /** False when there is no link to send on. */
  sendReports(reports: AttemptReport[]): boolean;
  uploadResult(upload: ResultUpload): Promise<UploadVerdict>;
}

export interface ResultUpload {
  readonly attempt: AttemptRef;
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: bigint;
}

/** `refused`: the coordinator will never take it; `gone`: the attempt is no longer current. */
export type UploadVerdict = "done" | "gone" | "refused" | "retry";

export interface Outbox {
  add(report: AttemptReport): void;
  acknowledge(ack: AttemptAck): void;
  /** The outcome is no longer wanted. */
  drop(key: AttemptKey): void;
  has(key: AttemptKey): boolean;
  refs(): AttemptRef[];
  size(): number;
  /** A link came up: everything is sent again. */
  onLinked(): void;
  /** The last link went: what is here goes to disk. */
  onUnlinked(): void;
  /** Puts everything on disk and stops sending. */
  stop(): Promise<void>;
}

interface Entry {
  readonly key: AttemptKey;
  readonly ref: AttemptRef;
  report: AttemptReport;
  readonly addedAt: number;
  /** By the wall clock, for the trace. */
  readonly fromMs: number;
  upload: ResultUpload | null;
  uploading: boolean;
  sentAt: number | null;
  /** Resolves once it is on disk, or cannot be put there; null where nobody has tried. */
  spooling: Promise<void> | null;
}

const TICK_MS = 500;
const SPOOL_AFTER_MS = 1_000;
const SEND_AGAIN_AFTER_MS = 2_000;
const UPLOADS_MAX = 2;
const FINAL_VERDICTS: ReadonlySet<AttemptVerdict> = new Set([
  AttemptVerdict.ATTEMPT_VERDICT_COMMITTED,
  AttemptVerdict.ATTEMPT_VERDICT_STALE,
]);

export function startOutbox(options: {
  readonly spool: Spool;
  readonly sender: ReportSender;
  /** A coordinator has committed the outcome. */
  readonly onCommitted: (ref: AttemptRef) => void;
  readonly tracing: Pick<Tracing, "record">;
  readonly clock: Clock;
  readonly log: Logger;
}): Outbox {
  const { spool, sender, onCommitted, tracing, clock, log } = options;
  const entries = new Map<AttemptKey, Entry>();
  const fresh: Entry[] = [];
  let uploads = 0;
  let flushing = false;

  const send = (wanted: readonly Entry[]): void => {
    const ready = wanted.filter((entry) => entry.upload === null && entries.has(entry.key));
    for (const batch of batches(ready)) {
      if (!sender.sendReports(batch.map((entry) => entry.report))) return;
      for (const entry of batch) entry.sentAt = clock.monotonicMs();
    }
  };

  const flush = (): void => {
    flushing = false;
    send(fresh.splice(0));
  };

  const keep = (entry: Entry): Promise<void> => {
    entry.spooling ??= write(entry);
    return entry.spooling;
  };

  const write = async (entry: Entry): Promise<void> => {
    const isStored = await spool.keep(entry.key, entry.report).catch((error: unknown) => {
      log.error({ err: error }, "an outcome could not be spooled");
      return false;
    });
    if (!isStored) log.warn({ taskId: entry.ref.taskId }, "an outcome is in memory only: the spool is full or broken");
    // It may have been acknowledged while it was written.
    if (!entries.has(entry.key)) await forget(entry);
  };

  const forget = async (entry: Entry): Promise<void> => {
    if (entry.spooling === null && !isLong(entry.report)) return;
    await spool.drop(entry.key).catch((error: unknown) => log.error({ err: error }, "a spooled outcome stays behind"));
  };

  const pump = (): void => {
    for (const entry of entries.values()) {
      if (uploads >= UPLOADS_MAX || !sender.linked()) return;
      if (entry.upload !== null && !entry.uploading) void push(entry, entry.upload);
    }
  };

  const push = async (entry: Entry, upload: ResultUpload): Promise<void> => {
    entry.uploading = true;
    uploads += 1;
    await keep(entry);
    const verdict = await sender.uploadResult(upload);
    uploads -= 1;
    entry.uploading = false;
    if (verdict === "retry") return;
    if (verdict === "refused") entry.report = refused(entry.report);
    entry.upload = null;
    send([entry]);
    pump();
  };

  const tick = (): void => {
    const nowMs = clock.monotonicMs();
    const late: Entry[] = [];
    for (const entry of entries.values()) {
      if (entry.spooling === null && nowMs - entry.addedAt > SPOOL_AFTER_MS) void keep(entry);
      if (nowMs - (entry.sentAt ?? 0) > SEND_AGAIN_AFTER_MS) late.push(entry);
    }
    if (sender.linked()) send(late);
    pump();
  };

  const admit = (report: AttemptReport, spooling: Promise<void> | null): Entry | null => {
    const ref = report.attempt;
    if (ref === undefined) return null;
    const key = attemptKey(ref);
    const upload = uploadOf(ref, report, spool.resultPath(key));
    const addedAt = clock.monotonicMs();
    const fromMs = clock.now();
    const entry: Entry = { key, ref, report, addedAt, fromMs, upload, uploading: false, sentAt: null, spooling };
    entries.set(key, entry);
    return entry;
  };

  for (const { report } of spool.found) admit(report, Promise.resolve());
  const timer = setInterval(tick, TICK_MS);

  return {
    add: (report) => {
      const entry = admit(report, null);
      if (entry === null) return;
      if (!sender.linked()) void keep(entry);
      if (entry.upload !== null) {
        pump();
        return;
      }
      fresh.push(entry);
      if (flushing) return;
      flushing = true;
      setImmediate(flush);
    },
    acknowledge: ({ attempt, verdict }) => {
      if (attempt === undefined) return;
      const entry = entries.get(attemptKey(attempt));
      if (entry === undefined) return;
      // One of a later version may say anything: the outcome stays, and is sent again.
      if (!FINAL_VERDICTS.has(verdict)) return;
      entries.delete(entry.key);
      const { taskId, number } = entry.ref;
      const attributes = { "elastic.task.id": taskId, "elastic.attempt": number };
      const span = { name: "report", attributes, fromMs: entry.fromMs, toMs: clock.now() };
      tracing.record(readTraceparent(entry.report.traceparent), span);
      if (verdict === AttemptVerdict.ATTEMPT_VERDICT_COMMITTED) onCommitted(entry.ref);
      void forget(entry);
    },
    drop: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return;
      entries.delete(key);
      void forget(entry);
    },
    has: (key) => entries.has(key),
    refs: () => [...entries.values()].map((entry) => entry.ref),
    size: () => entries.size,
    onLinked: () => {
      send([...entries.values()]);
      pump();
    },
    onUnlinked: () => {
      for (const entry of entries.values()) void keep(entry);
    },
    stop: async () => {
      clearInterval(timer);
      await Promise.all([...entries.values()].map(keep));
    },
  };
}

function isLong({ outcome }: AttemptReport): boolean {
  return outcome?.$case === "succeeded" && outcome.value.result?.$case === "uploaded";
}

function uploadOf(attempt: AttemptRef, { outcome }: AttemptReport, path: string): ResultUpload | null {
  if (outcome?.$case !== "succeeded" || outcome.value.result?.$case !== "uploaded") return null;
  return { attempt, path, ...outcome.value.result.value };
}

function refused(report: AttemptReport): AttemptReport {
  const reason: AgentFailureReason = "bad_output";
  const message = "the coordinator does not take a result of this size";
  return { ...report, outcome: { $case: "failed", value: { reason, message, logTail: "" } } };
}
