/** Pages of a team's tasks, and how many there are, without looking at all of them. */
import type { Instant } from "@elastic/std/clock.ts";
import type { EndedPhase } from "../../domain/usage-sums.ts";
import type { ArchiveFilter, ArchiveList, ArchivePage } from "../archive.ts";
import { ALL_DAYS, splitDays } from "./days.ts";
import { numberOf, type SqlTransaction, type SqlValue, textOf, tuples } from "./sql.ts";

/** A condition and the values of its parameters. */
interface Where {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export async function listTasks(
  transaction: SqlTransaction,
  filter: ArchiveFilter,
  page: ArchivePage,
): Promise<ArchiveList> {
  if (filter.phases?.length === 0) return { ids: [], total: 0, arriving: [] };
  const ids = page.limit === 0 ? [] : await pageOf(transaction, filter, page);
  const arriving = await arrivingOf(transaction, filter);
  const settled = await countSettled(transaction, filter);
  return { ids, total: settled + arriving.length, arriving };
}

/** Each phase has an order of its own in the index: their pages are merged. */
async function pageOf({ query }: SqlTransaction, filter: ArchiveFilter, page: ArchivePage): Promise<string[]> {
  const reach = page.offset + page.limit;
  const parts = (filter.phases ?? [null]).map((phase, index) => {
    const { sql, values } = whereOf(filter, phase, page.olderThan);
    return {
      sql: `SELECT id FROM (SELECT id FROM tasks WHERE ${sql} ORDER BY id DESC LIMIT ?) AS part${index}`,
      values: [...values, reach],
    };
  });
  const rows = await query(`${parts.map(({ sql }) => sql).join(" UNION ALL ")} ORDER BY id DESC LIMIT ? OFFSET ?`, [
    ...parts.flatMap(({ values }) => values),
    page.limit,
    page.offset,
  ]);
  return rows.map((row) => textOf(row, "id"));
}

async function arrivingOf({ query }: SqlTransaction, filter: ArchiveFilter): Promise<string[]> {
  const { sql, values } = andPhases(whereOf(filter, null), filter.phases);
  const rows = await query(`SELECT id FROM arriving WHERE ${sql}`, values);
  return rows.map((row) => textOf(row, "id"));
}

async function countSettled(transaction: SqlTransaction, filter: ArchiveFilter): Promise<number> {
  const { createdFrom = null, createdBefore = null } = filter;
  if (createdFrom === null && createdBefore === null) {
    return await sumOfDays(transaction, filter, { sql: "day = ?", values: [ALL_DAYS] });
  }
  const { days, rests } = splitDays(createdFrom, createdBefore);
  let count = days === null ? 0 : await sumOfDays(transaction, filter, daysWhere(days));
  for (const { from, before } of rests) {
    count += await countRows(transaction, { ...filter, createdFrom: from, createdBefore: before });
  }
  return count;
}

function daysWhere({ from, before }: { readonly from: number | null; readonly before: number | null }): Where {
  if (before === null) return { sql: "day >= ?", values: [from ?? 0] };
  return { sql: "day >= ? AND day < ?", values: [from ?? 0, before] };
}

async function sumOfDays({ query }: SqlTransaction, filter: ArchiveFilter, days: Where): Promise<number> {
  const service = filter.serviceId === undefined ? [] : [filter.serviceId];
  const { sql, values } = andPhases(
    {
      sql: `team_id = ? AND ${days.sql}${service.length === 0 ? "" : " AND service_id = ?"}`,
      values: [filter.teamId, ...days.values, ...service],
    },
    filter.phases,
  );
  const rows = await query(`SELECT CAST(COALESCE(SUM(tasks), 0) AS BIGINT) AS n FROM task_counts WHERE ${sql}`, values);
  return rows[0] === undefined ? 0 : numberOf(rows[0], "n");
}

/** Looks at each: for less than a day. */
async function countRows({ query }: SqlTransaction, filter: ArchiveFilter): Promise<number> {
  const { sql, values } = andPhases(whereOf(filter, null), filter.phases);
  const rows = await query(
    `SELECT COUNT(*) AS n FROM tasks WHERE ${sql} AND NOT EXISTS (SELECT 1 FROM arriving WHERE arriving.id = tasks.id)`,
    values,
  );
  return rows[0] === undefined ? 0 : numberOf(rows[0], "n");
}

function andPhases({ sql, values }: Where, phases: readonly EndedPhase[] | undefined): Where {
  if (phases === undefined) return { sql, values };
  return { sql: `${sql} AND phase IN ${tuples(1, phases.length)}`, values: [...values, ...phases] };
}

function whereOf(filter: ArchiveFilter, phase: EndedPhase | null, olderThan?: string): Where {
  const conditions: [string, SqlValue][] = [["team_id = ?", filter.teamId]];
  if (filter.serviceId !== undefined) conditions.push(["service_id = ?", filter.serviceId]);
  if (phase !== null) conditions.push(["phase = ?", phase]);
  if (filter.createdFrom !== undefined) conditions.push(["id >= ?", firstIdAt(filter.createdFrom)]);
  if (filter.createdBefore !== undefined) conditions.push(["id < ?", firstIdAt(filter.createdBefore)]);
  if (olderThan !== undefined) conditions.push(["id < ?", olderThan]);
  return { sql: conditions.map(([sql]) => sql).join(" AND "), values: conditions.map(([, value]) => value) };
}

/** Below every id made at that time or later, and above all made before. */
function firstIdAt(instant: Instant): string {
  const time = Math.min(Math.max(0, Math.ceil(instant)), 2 ** 48 - 1);
  return time.toString(16).padStart(12, "0").padEnd(32, "0");
}
