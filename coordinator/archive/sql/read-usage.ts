/** A team's usage of some hours, from the sums; and of arriving tasks, which are in none. */
import { DailyUsage } from "../../domain/daily-usage.ts";
import type { Task } from "../../domain/task.ts";
import { usageOf } from "../../domain/task-usage.ts";
import { type EndedPhase, type TimeKind, UsageSums } from "../../domain/usage-sums.ts";
import type { ArchiveDays, ArchiveUsage } from "../archive.ts";
import { recordOf } from "./archived-rows.ts";
import { numberOf, type SqlRow, type SqlTransaction, textOf, tuples } from "./sql.ts";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const READ_AT_ONCE = 1_000;

export async function readUsage(
  { query }: SqlTransaction,
  teamId: string,
  fromHour: number,
  beforeHour: number,
): Promise<ArchiveUsage> {
  const settled = new UsageSums();
  const range = [teamId, fromHour, beforeHour];
  const counts = await query(
    `SELECT service_id, phase, ${sum("tasks")}, ${sum("gpu_ms")}, ${sum("slot_ms")}
     FROM usage_tasks WHERE team_id = ? AND hour >= ? AND hour < ? GROUP BY service_id, phase`,
    range,
  );
  for (const row of counts) {
    settled.addTasks(textOf(row, "service_id"), phaseOf(row), {
      tasks: numberOf(row, "tasks"),
      gpuMs: numberOf(row, "gpu_ms"),
      slotMs: numberOf(row, "slot_ms"),
    });
  }
  const times = await query(
    `SELECT service_id, kind, bucket, ${sum("tasks")}
     FROM usage_times WHERE team_id = ? AND hour >= ? AND hour < ? GROUP BY service_id, kind, bucket`,
    range,
  );
  for (const row of times) {
    const kind = textOf(row, "kind") as TimeKind;
    settled.addTimes(textOf(row, "service_id"), kind, numberOf(row, "bucket"), numberOf(row, "tasks"));
  }
  return { settled, arriving: await arrivingOf({ query }, teamId, fromHour, beforeHour) };
}

/** The same by day. */
export async function readUsageDays(
  { query }: SqlTransaction,
  teamId: string,
  fromHour: number,
  beforeHour: number,
): Promise<ArchiveDays> {
  const settled = new DailyUsage();
  const rows = await query(
    `SELECT service_id, phase, hour / ${DAY_HOURS} AS day, ${sum("tasks")}, ${sum("gpu_ms")}, ${sum("slot_ms")}
     FROM usage_tasks WHERE team_id = ? AND hour >= ? AND hour < ? GROUP BY service_id, phase, hour / ${DAY_HOURS}`,
    [teamId, fromHour, beforeHour],
  );
  for (const row of rows) {
    const of = { day: numberOf(row, "day"), serviceId: textOf(row, "service_id"), phase: phaseOf(row) };
    settled.addTasks(of, {
      tasks: numberOf(row, "tasks"),
      gpuMs: numberOf(row, "gpu_ms"),
      slotMs: numberOf(row, "slot_ms"),
    });
  }
  return { settled, arriving: await arrivingOf({ query }, teamId, fromHour, beforeHour) };
}

async function arrivingOf(
  { query }: SqlTransaction,
  teamId: string,
  fromHour: number,
  beforeHour: number,
): Promise<ArchiveUsage["arriving"]> {
  const ids = (await query("SELECT id FROM arriving WHERE team_id = ?", [teamId])).map((row) => textOf(row, "id"));
  const tasks: Task[] = [];
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const some = ids.slice(at, at + READ_AT_ONCE);
    const rows = await query(`SELECT record FROM tasks WHERE id IN ${tuples(1, some.length)}`, some);
    tasks.push(...rows.map(recordOf));
  }
  return tasks
    .map((task) => ({ id: task.id, serviceId: task.serviceId, usage: usageOf(task) }))
    .filter(({ usage }) => usage.finishedAt >= fromHour * HOUR_MS && usage.finishedAt < beforeHour * HOUR_MS);
}

function phaseOf(row: SqlRow): EndedPhase {
  return textOf(row, "phase") as EndedPhase;
}

function sum(column: string): string {
  return `CAST(SUM(${column}) AS BIGINT) AS ${column}`;
}
