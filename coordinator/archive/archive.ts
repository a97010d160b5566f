/**
 * The port to history: tasks that have ended and audit entries, moved out of the store. Implemented by sql/ over SQLite and over
 * PostgreSQL; both pass archive.contract.component.test.ts.
 *
 * A task is `put` before it is removed from the store, so for a while it is in both: it is then *arriving*. Sums
 * leave arriving tasks out and name them instead, so that a reader, who knows what it saw in the store, can count
 * each task once. `settle` says that the store no longer has them.
 *
 * Every call rejects with ArchiveUnavailableError while the archive cannot be reached.
 */

import type { Instant } from "@elastic/std/clock.ts";
import type { BlobAddress } from "../blobs/blob-store.ts";
import type { AuditEntry, AuditFilter, AuditPage } from "../domain/audit-entry.ts";
import type { DailyUsage } from "../domain/daily-usage.ts";
import type { FailureReason } from "../domain/failure.ts";
import type { IdBounds } from "../domain/id-range.ts";
import type { Task } from "../domain/task.ts";
import type { TaskUsage } from "../domain/task-usage.ts";
import type { EndedPhase, UsageSums } from "../domain/usage-sums.ts";

/** A task that has ended, with those of its bytes that were stored next to its record. */
export interface ArchivedTask {
  readonly task: Task;
  /** Null when it is a blob, or has expired. */
  readonly input: Buffer | null;
  readonly result: Buffer | null;
}

export interface ArchiveFilter extends IdBounds {
  readonly teamId: string;
  readonly serviceId?: string;
  /** Left out: all. */
  readonly phases?: readonly EndedPhase[];
  /** Tasks that ended for it. It implies the phase, so it stands in place of `phases`. */
  readonly reason?: FailureReason;
}

export interface ArchivePage {
  readonly offset: number;
  readonly limit: number;
  /** Begins after this task, whether it is there or not. */
  readonly olderThan?: string;
}

export interface ArchiveList {
  /** Newest first. */
  readonly ids: readonly string[];
  /** How many there are in all, arriving ones included. */
  readonly total: number;
  /** Those of all that may still be in the store. */
  readonly arriving: readonly string[];
}

export interface ArchiveUsage {
  readonly settled: UsageSums;
  readonly arriving: readonly { readonly id: string; readonly serviceId: string; readonly usage: TaskUsage }[];
}

/** What an archived task used. */
export interface EndedTask {
  readonly id: string;
  readonly serviceId: string;
  readonly createdAt: Instant;
  readonly usage: TaskUsage;
}

/** Of all teams' tasks. */
export interface NewestPage {
  /** Created at or after. */
  readonly from: Instant;
  /** Begins after this task; null for the newest. */
  readonly olderThan: string | null;
  readonly limit: number;
}

export interface ArchiveDays {
  readonly settled: DailyUsage;
  readonly arriving: ArchiveUsage["arriving"];
}

export interface TaskName {
  readonly taskId: string;
  readonly teamId: string;
}

export interface Archive {
  /** The same wherever its content is copied to: the store knows its archive by it. */
  readonly id: string;
  /** Durable when it resolves. A task that is there already stays as it is. */
  put(tasks: readonly ArchivedTask[]): Promise<void>;
  get(id: string): Promise<ArchivedTask | null>;
  /** Those that are there, in no order. */
  getMany(ids: readonly string[]): Promise<readonly ArchivedTask[]>;
  list(filter: ArchiveFilter, page: ArchivePage): Promise<ArchiveList>;
  /** The newest tasks of all teams, those that are arriving included. */
  newest(page: NewestPage): Promise<readonly EndedTask[]>;
  /** What a team's tasks used that ended in full hours from `fromHour` on and before `beforeHour`. */
  usage(teamId: string, fromHour: number, beforeHour: number): Promise<ArchiveUsage>;
  /** The same by day. */
  usageDays(teamId: string, fromHour: number, beforeHour: number): Promise<ArchiveDays>;
  /** Tasks that were put and not settled yet, at most `limit`. */
  arriving(limit: number): Promise<readonly string[]>;
  /** These are no longer in the store. */
  settle(ids: readonly string[]): Promise<void>;
  /** Settled tasks whose bytes expired before, and are still there. */
  expired(before: Instant, limit: number): Promise<readonly TaskName[]>;
  /** Removes their bytes; their records stay. */
  removeBytes(ids: readonly string[]): Promise<void>;
  /** Removes records whose bytes expired before and are gone, at most `limit`. Returns how many. */
  removeRecords(before: Instant, limit: number): Promise<number>;
  /** Removes what is known of the use of hours before; usage is stored apart from the tasks it is of. */
  removeUsage(before: Instant): Promise<void>;
  /**
   * Removes these tasks of a team that was deleted, also those that are arriving, and all sums, usage and uses of blobs of
   * the team.
   */
  removeOfTeam(teamId: string, ids: readonly string[]): Promise<void>;
  /** Which of these blobs hold bytes of archived tasks that have not expired. */
  referenced(blobs: readonly BlobAddress[], now: Instant): Promise<readonly BlobAddress[]>;
  /** Durable when it resolves. An entry that is there already stays as it is. */
  putAudit(entries: readonly AuditEntry[]): Promise<void>;
  /** Newest first. */
  listAudit(filter: AuditFilter, page: AuditPage): Promise<readonly AuditEntry[]>;
  /** Removes entries from before, and the oldest of teams with more than `perTeamMax`; at most `limit`. Returns how many. */
  removeAudit(retained: { readonly before: Instant; readonly perTeamMax: number }, limit: number): Promise<number>;
  close(): Promise<void>;
}

/** It could not be reached; a write may have been done. */
export class ArchiveUnavailableError extends Error {
  override readonly name = "ArchiveUnavailableError";
}
