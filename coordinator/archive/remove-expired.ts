/**
 * Removes what has been retained for long enough: logs and bytes of tasks, later their records, much later their usage; and
 * entries of the audit log.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { AUDIT_ENTRIES_PER_TEAM } from "../domain/audit-entry.ts";
import { RECORD_KEPT_MS } from "../domain/retention.ts";
import type { ArchiveMetrics } from "../metrics/archive-metrics.ts";
import type { TaskLogs } from "../task-logs/task-logs.ts";
import type { Archive } from "./archive.ts";

/** Whoever saw a moment ago that a result is still retained can still read it. */
const GRACE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A year and a month, so that a month can be held against that of the year before. */
const USAGE_RETENTION_MS = 400 * DAY_MS;
const BATCH_TASKS = 500;
const BATCH_ENTRIES = 500;

export interface RetentionOptions {
  readonly archive: Pick<Archive, "expired" | "removeBytes" | "removeRecords" | "removeUsage" | "removeAudit">;
  readonly logs: Pick<TaskLogs, "remove">;
  readonly clock: Clock;
  readonly auditRetentionMs: number;
  readonly metrics: Pick<ArchiveMetrics, "expired" | "forgotten">;
}

/** `continues` ends it between two batches. What is left comes with the next call. */
export async function removeExpired(options: RetentionOptions, continues: () => boolean): Promise<void> {
  const { archive, clock } = options;
  while (continues() && (await removeBytesOfSome(options)) === BATCH_TASKS);
  while (continues() && (await removeSomeRecords(options)) === BATCH_TASKS);
  if (continues()) await archive.removeUsage(clock.now() - USAGE_RETENTION_MS);
  const retained = { before: clock.now() - options.auditRetentionMs, perTeamMax: AUDIT_ENTRIES_PER_TEAM };
  while (continues() && (await archive.removeAudit(retained, BATCH_ENTRIES)) > 0);
}

/** The logs first: whether they are gone is remembered with the bytes. */
async function removeBytesOfSome({ archive, logs, clock, metrics }: RetentionOptions): Promise<number> {
  const tasks = await archive.expired(clock.now() - GRACE_MS, BATCH_TASKS);
  for (const task of tasks) await logs.remove(task);
  await archive.removeBytes(tasks.map(({ taskId }) => taskId));
  metrics.expired(tasks.length);
  return tasks.length;
}

async function removeSomeRecords({ archive, clock, metrics }: RetentionOptions): Promise<number> {
  const removed = await archive.removeRecords(clock.now() - RECORD_KEPT_MS, BATCH_TASKS);
  metrics.forgotten(removed);
  return removed;
}
