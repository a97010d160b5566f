/** Pages of a team's tasks, and how many there are, without looking at all of them. */
import { firstIdAt } from "../../domain/id-range.ts";
import { usageOf } from "../../domain/task-usage.ts";
import type { ArchiveFilter, ArchiveList, ArchivePage, EndedTask, NewestPage } from "../archive.ts";
import { recordOf } from "./archived-rows.ts";
import { ALL_DAYS, splitDays } from "./days.ts";
import { numberOf, type SqlTransaction, textOf } from "./sql.ts";
import { and, ownersAndReason, phasesOf, type Where, whereInPhase, whereOf } from "./task-conditions.ts";

export async function listTasks(
  transaction: SqlTransaction,
  filter: ArchiveFilter,
  page: ArchivePage,
): Promise<ArchiveList> {
  if (phasesOf(filter)?.length === 0) return { ids: [], total: 0, arriving: [] };
  const ids = page.limit === 0 ? [] : await pageOf(transaction, filter, page);
  const arriving = await arrivingOf(transaction, filter);
  const settled = await countSettled(transaction, filter);
  return { ids, total: settled + arriving.length, arriving };
}

export async function newestTasks({ query }: SqlTransaction, page: NewestPage): Promise<readonly EndedTask[]> {
  const { from, olderThan, limit } = page;
  const below = olderThan === null ? { sql: "", values: [] } : { sql: " AND id < ?", values: [olderThan] };
  const rows = await query(`SELECT record FROM tasks WHERE id >= ?${below.sql} ORDER BY id DESC LIMIT ?`, [
    firstIdAt(from),
    ...below.values,
    limit,
  ]);
  return rows.map((row) => {
    const task = recordOf(row);
    return { id: task.id, serviceId: task.serviceId, createdAt: task.createdAt, usage: usageOf(task) };
  });
}

/** Each phase has a separate order in the index: their pages are merged. */
async function pageOf({ query }: SqlTransaction, filter: ArchiveFilter, page: ArchivePage): Promise<string[]> {
  const reach = page.offset + page.limit;
  const parts = (phasesOf(filter) ?? [null]).map((phase, index) => {
    const { sql, values } = whereInPhase(filter, phase, page.olderThan);
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
  const { sql, values } = whereOf(filter);
  const rows = await query(`SELECT id FROM arriving WHERE ${sql}`, values);
  return rows.map((row) => textOf(row, "id"));
}

async function countSettled(transaction: SqlTransaction, filter: ArchiveFilter): Promise<number> {
  const { createdFrom = null, createdBefore = null, idPrefix } = filter;
  if (idPrefix !== undefined) return await countRows(transaction, filter);
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
  const { sql, values } = and(ownersAndReason(filter), days);
  const counts = filter.reason === undefined ? "task_counts" : "reason_counts";
  const rows = await query(`SELECT CAST(COALESCE(SUM(tasks), 0) AS BIGINT) AS n FROM ${counts} WHERE ${sql}`, values);
  return rows[0] === undefined ? 0 : numberOf(rows[0], "n");
}

/** Looks at each: for less than a day, or the few that the beginning of an id leaves. */
async function countRows({ query }: SqlTransaction, filter: ArchiveFilter): Promise<number> {
  const { sql, values } = whereOf(filter);
  const rows = await query(
    `SELECT COUNT(*) AS n FROM tasks WHERE ${sql} AND NOT EXISTS (SELECT 1 FROM arriving WHERE arriving.id = tasks.id)`,
    values,
  );
  return rows[0] === undefined ? 0 : numberOf(rows[0], "n");
}
