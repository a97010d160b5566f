/** Reads an archive without opening it as a coordinator does: nothing is created, migrated or claimed. */
import type { Logger } from "@elastic/std/log.ts";
import { type AuditEntry, OF_NO_TEAM } from "../../domain/audit-entry.ts";
import { ArchiveUnavailableError } from "../archive.ts";
import { type ArchiveLocation, describeLocation } from "../location.ts";
import { openPostgres } from "./postgres.ts";
import { type Sql, textOf, tuples } from "./sql.ts";
import { openSqliteReader } from "./sqlite-reader.ts";

export interface ArchiveReader {
  readonly id: string;
  /** Empty where there is no entry. */
  newestAuditId(): Promise<string>;
  /** Of all teams, in the order in which they were made, those after this id. */
  auditAfter(id: string, limit: number): Promise<readonly AuditEntry[]>;
  /** The highest epoch that a restore has given this store; 0 where there was none. */
  restoredEpoch(storeId: string): Promise<number>;
  /** Which of these tasks it has. */
  tasksOf(ids: readonly string[]): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

/** Rejects with ArchiveUnavailableError where it cannot be read. */
export async function openArchiveReader(location: ArchiveLocation, log: Logger): Promise<ArchiveReader> {
  const sql =
    location.kind === "sqlite" ? openSqliteReader(location.file) : await openPostgres({ url: location.url, log });
  try {
    return await archiveReader(sql);
  } catch (error) {
    await sql.close();
    throw new ArchiveUnavailableError(`${describeLocation(location)}: ${(error as Error).message}`, { cause: error });
  }
}

/** Over a database that is closed with it. */
export async function archiveReader(sql: Pick<Sql, "read" | "close">): Promise<ArchiveReader> {
  const [row] = await sql.read(({ query }) => query("SELECT id FROM archive"));
  if (row === undefined) throw new ArchiveUnavailableError("it holds no archive");
  return {
    id: textOf(row, "id"),
    newestAuditId: async () => {
      const [row] = await sql.read(({ query }) => query("SELECT id FROM audit_entries ORDER BY id DESC LIMIT 1"));
      return row === undefined ? "" : textOf(row, "id");
    },
    auditAfter: async (after, limit) => {
      const select = "SELECT entry FROM audit_entries WHERE id > ? ORDER BY id LIMIT ?";
      const rows = await sql.read(({ query }) => query(select, [after, limit]));
      return rows.map((row) => JSON.parse(textOf(row, "entry")) as AuditEntry);
    },
    restoredEpoch: async (storeId) => {
      const select = "SELECT entry FROM audit_entries WHERE team_id = ? AND action = 'restore' AND object_id = ?";
      const rows = await sql.read(({ query }) => query(select, [OF_NO_TEAM, storeId]));
      const restores = rows.map((row) => JSON.parse(textOf(row, "entry")) as AuditEntry);
      return Math.max(0, ...restores.map(({ after }) => Number(after?.epoch ?? 0)));
    },
    tasksOf: async (ids) => {
      if (ids.length === 0) return new Set();
      const select = `SELECT id FROM tasks WHERE id IN ${tuples(1, ids.length)}`;
      const rows = await sql.read(({ query }) => query(select, ids));
      return new Set(rows.map((row) => textOf(row, "id")));
    },
    close: () => sql.close(),
  };
}
