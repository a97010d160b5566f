/** The audit log's rows, and how many each team has. */
import type { Instant } from "@elastic/std/clock.ts";
import type { AuditEntry, AuditFilter, AuditPage } from "../../domain/audit-entry.ts";
import { firstIdAt } from "../../domain/id-range.ts";
import { numberOf, type SqlTransaction, type SqlValue, textOf, tuples } from "./sql.ts";

const COLUMNS = ["id", "team_id", "user_id", "action", "object_id", "entry"];

/** Those that are there already stay as they are. */
export async function insertAuditEntries(transaction: SqlTransaction, entries: readonly AuditEntry[]): Promise<void> {
  const values = entries.flatMap((entry) => [
    entry.id,
    entry.teamId,
    entry.userId ?? "",
    entry.action,
    entry.object.id,
    JSON.stringify(entry),
  ]);
  const rows = await transaction.query(
    `INSERT INTO audit_entries (${COLUMNS.join(", ")}) VALUES ${tuples(entries.length, COLUMNS.length)}
     ON CONFLICT (id) DO NOTHING RETURNING team_id`,
    values,
  );
  await addCounts(
    transaction,
    rows.map((row) => textOf(row, "team_id")),
    1,
  );
}

/** Newest first. */
export async function listAuditEntries(
  { query }: SqlTransaction,
  { teamId, action, userId, objectId, from, before }: AuditFilter,
  { limit, olderThan }: AuditPage,
): Promise<AuditEntry[]> {
  const conditions: [string, SqlValue | undefined][] = [
    ["team_id = ?", teamId],
    ["action = ?", action],
    ["user_id = ?", userId],
    ["object_id = ?", objectId],
    ["id >= ?", from === undefined ? undefined : firstIdAt(from)],
    ["id < ?", before === undefined ? undefined : firstIdAt(before)],
    ["id < ?", olderThan],
  ];
  const given = conditions.filter((one): one is [string, SqlValue] => one[1] !== undefined);
  const rows = await query(
    `SELECT entry FROM audit_entries WHERE ${given.map(([sql]) => sql).join(" AND ")} ORDER BY id DESC LIMIT ?`,
    [...given.map(([, value]) => value), limit],
  );
  return rows.map((row) => JSON.parse(textOf(row, "entry")) as AuditEntry);
}

/** At most `limit`: those from before, and then the oldest of a team that has more than `perTeamMax`. Returns how many. */
export async function removeAuditEntries(
  transaction: SqlTransaction,
  { before, perTeamMax }: { readonly before: Instant; readonly perTeamMax: number },
  limit: number,
): Promise<number> {
  const old = await remove(transaction, "id < ?", firstIdAt(before), limit);
  if (old > 0) return old;
  const rows = await transaction.query("SELECT team_id, entries FROM audit_counts WHERE entries > ? LIMIT 1", [
    perTeamMax,
  ]);
  const [row] = rows;
  if (row === undefined) return 0;
  const excess = Math.min(limit, numberOf(row, "entries") - perTeamMax);
  return await remove(transaction, "team_id = ?", textOf(row, "team_id"), excess);
}

async function remove(transaction: SqlTransaction, where: string, value: SqlValue, limit: number): Promise<number> {
  const rows = await transaction.query(
    `DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries WHERE ${where} ORDER BY id LIMIT ?)
     RETURNING team_id`,
    [value, limit],
  );
  await addCounts(
    transaction,
    rows.map((row) => textOf(row, "team_id")),
    -1,
  );
  return rows.length;
}

async function addCounts({ query }: SqlTransaction, teamIds: readonly string[], sign: 1 | -1): Promise<void> {
  const counts = new Map<string, number>();
  for (const teamId of teamIds) counts.set(teamId, (counts.get(teamId) ?? 0) + sign);
  if (counts.size === 0) return;
  // In the order of the teams, so that two writers never wait for each other in a circle.
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  await query(
    `INSERT INTO audit_counts (team_id, entries) VALUES ${tuples(rows.length, 2)}
     ON CONFLICT (team_id) DO UPDATE SET entries = audit_counts.entries + excluded.entries`,
    rows.flat(),
  );
}
