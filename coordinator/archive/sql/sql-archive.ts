/** The archive over a database: each call a transaction, its statements in the files next to this one. */

import type { Instant } from "@elastic/std/clock.ts";
import type { BlobAddress } from "../../blobs/blob-store.ts";
import type { AuditEntry, AuditFilter, AuditPage } from "../../domain/audit-entry.ts";
import type { Archive, ArchivedTask, ArchiveFilter, ArchivePage, NewestPage } from "../archive.ts";
import { insertBlobUses, insertTasks, readTask, TASK_COLUMNS } from "./archived-rows.ts";
import { insertAuditEntries, listAuditEntries, removeAuditEntries } from "./audit-entries.ts";
import { expiredTasks, referencedBlobs, removeBytes, removeRecords, removeUsage } from "./expire.ts";
import { listTasks, newestTasks } from "./list-tasks.ts";
import { migrate } from "./migrate.ts";
import { readUsage, readUsageDays } from "./read-usage.ts";
import { removeOfTeam } from "./remove-team.ts";
import { settleTasks } from "./settle.ts";
import { type Sql, textOf, tuples } from "./sql.ts";

/** Rejects when the database was made by a newer program. The database is closed with the archive. */
export async function openSqlArchive(sql: Sql, freshId: string): Promise<Archive> {
  return new SqlArchive(sql, await migrate(sql, freshId));
}

class SqlArchive implements Archive {
  readonly id: string;
  readonly #sql: Sql;

  constructor(sql: Sql, id: string) {
    this.#sql = sql;
    this.id = id;
  }

  async put(tasks: readonly ArchivedTask[]): Promise<void> {
    if (tasks.length === 0) return;
    await this.#sql.write(async (transaction) => {
      await insertTasks(transaction, tasks);
      await insertBlobUses(transaction, tasks);
    });
  }

  async get(id: string): Promise<ArchivedTask | null> {
    return (await this.getMany([id]))[0] ?? null;
  }

  async getMany(ids: readonly string[]): Promise<readonly ArchivedTask[]> {
    if (ids.length === 0) return [];
    const sql = `SELECT ${TASK_COLUMNS} FROM tasks WHERE id IN ${tuples(1, ids.length)}`;
    const rows = await this.#sql.read(async ({ query }) => await query(sql, ids));
    return rows.map(readTask);
  }

  list(filter: ArchiveFilter, page: ArchivePage) {
    return this.#sql.read((transaction) => listTasks(transaction, filter, page));
  }

  newest(page: NewestPage) {
    return this.#sql.read((transaction) => newestTasks(transaction, page));
  }

  usage(teamId: string, fromHour: number, beforeHour: number) {
    return this.#sql.read((transaction) => readUsage(transaction, teamId, fromHour, beforeHour));
  }

  usageDays(teamId: string, fromHour: number, beforeHour: number) {
    return this.#sql.read((transaction) => readUsageDays(transaction, teamId, fromHour, beforeHour));
  }

  async arriving(limit: number): Promise<readonly string[]> {
    const sql = "SELECT id FROM arriving ORDER BY id LIMIT ?";
    return (await this.#sql.read(async ({ query }) => await query(sql, [limit]))).map((row) => textOf(row, "id"));
  }

  async settle(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#sql.write((transaction) => settleTasks(transaction, ids));
  }

  expired(before: Instant, limit: number) {
    return this.#sql.read((transaction) => expiredTasks(transaction, before, limit));
  }

  async removeBytes(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#sql.write((transaction) => removeBytes(transaction, ids));
  }

  removeRecords(before: Instant, limit: number): Promise<number> {
    return this.#sql.write((transaction) => removeRecords(transaction, before, limit));
  }

  removeUsage(before: Instant): Promise<void> {
    return this.#sql.write((transaction) => removeUsage(transaction, before));
  }

  removeOfTeam(teamId: string, ids: readonly string[]): Promise<void> {
    return this.#sql.write((transaction) => removeOfTeam(transaction, teamId, ids));
  }

  async referenced(blobs: readonly BlobAddress[], now: Instant): Promise<readonly BlobAddress[]> {
    if (blobs.length === 0) return [];
    return await this.#sql.read((transaction) => referencedBlobs(transaction, blobs, now));
  }

  async putAudit(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length > 0) await this.#sql.write((transaction) => insertAuditEntries(transaction, entries));
  }

  listAudit(filter: AuditFilter, page: AuditPage) {
    return this.#sql.read((transaction) => listAuditEntries(transaction, filter, page));
  }

  removeAudit(retained: { readonly before: Instant; readonly perTeamMax: number }, limit: number): Promise<number> {
    return this.#sql.write((transaction) => removeAuditEntries(transaction, retained, limit));
  }

  close(): Promise<void> {
    return this.#sql.close();
  }
}
