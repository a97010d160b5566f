/** What is removed from the archive in time: bytes when they expire, records and uses of blobs after them. */

import type { Instant } from "@elastic/std/clock.ts";
import type { BlobAddress } from "../../blobs/blob-store.ts";
import type { TaskName } from "../archive.ts";
import { recordOf } from "./archived-rows.ts";
import { addCounts } from "./settle.ts";
import { type SqlTransaction, textOf, tuples } from "./sql.ts";

const HOUR_MS = 3_600_000;

export async function expiredTasks({ query }: SqlTransaction, before: Instant, limit: number): Promise<TaskName[]> {
  const rows = await query(
    `SELECT id, team_id FROM tasks WHERE has_bytes = 1 AND expires_at <= ?
     AND NOT EXISTS (SELECT 1 FROM arriving WHERE arriving.id = tasks.id) ORDER BY expires_at LIMIT ?`,
    [before, limit],
  );
  return rows.map((row) => ({ taskId: textOf(row, "id"), teamId: textOf(row, "team_id") }));
}

export async function removeBytes({ query }: SqlTransaction, ids: readonly string[]): Promise<void> {
  await query(`UPDATE tasks SET has_bytes = 0, input = NULL, result = NULL WHERE id IN ${tuples(1, ids.length)}`, ids);
}

export async function removeRecords(transaction: SqlTransaction, before: Instant, limit: number): Promise<number> {
  const { query } = transaction;
  const rows = await query(
    `DELETE FROM tasks WHERE id IN (
       SELECT id FROM tasks WHERE has_bytes = 0 AND expires_at <= ? ORDER BY expires_at LIMIT ?
     ) RETURNING record`,
    [before, limit],
  );
  await addCounts(transaction, rows.map(recordOf), -1);
  if (rows.length > 0) {
    for (const table of ["task_counts", "reason_counts"]) await query(`DELETE FROM ${table} WHERE tasks = 0`);
  }
  await query("DELETE FROM blob_uses WHERE expires_at <= ?", [before]);
  return rows.length;
}

export async function removeUsage({ query }: SqlTransaction, before: Instant): Promise<void> {
  const hour = Math.floor(before / HOUR_MS);
  for (const table of ["usage_tasks", "usage_times"]) await query(`DELETE FROM ${table} WHERE hour < ?`, [hour]);
}

export async function referencedBlobs(
  { query }: SqlTransaction,
  blobs: readonly BlobAddress[],
  now: Instant,
): Promise<BlobAddress[]> {
  const rows = await query(
    `SELECT team_id, sha256 FROM blob_uses
     WHERE expires_at > ? AND (team_id, sha256) IN (VALUES ${tuples(blobs.length, 2)})`,
    [now, ...blobs.flatMap(({ teamId, sha256 }) => [teamId, sha256])],
  );
  return rows.map((row) => ({ teamId: textOf(row, "team_id"), sha256: textOf(row, "sha256") }));
}
