/** A team's usage of some hours, from the sums; and of arriving tasks, which are in none. */
import { usageOf } from "../../domain/task-usage.ts";
import { type EndedPhase, type TimeKind, UsageSums } from "../../domain/usage-sums.ts";
import type { ArchiveUsage } from "../archive.ts";
import { recordOf } from "./archived-rows.ts";
import { numberOf, type SqlTransaction, textOf } from "./sql.ts";

const HOUR_MS = 3_600_000;

export async function readUsage(
  { query }: SqlTransaction,
  teamId: string,
  fromHour: number,
  beforeHour: number,
): Promise<ArchiveUsage> {
  const settled = new UsageSums();
  const range = [teamId, fromHour, beforeHour];
  const tasks = await query(
    `SELECT service_id, phase, ${sum("tasks")}, ${sum("gpu_ms")}, ${sum("slot_ms")}
     FROM usage_tasks WHERE team_id = ? AND hour >= ? AND hour < ? GROUP BY service_id, phase`,
    range,
  );
  for (const row of tasks) {
    settled.addTasks(textOf(row, "service_id"), textOf(row, "phase") as EndedPhase, {
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
  const rows = await query("SELECT record FROM tasks WHERE id IN (SELECT id FROM arriving) AND team_id = ?", [teamId]);
  const arriving = rows
    .map(recordOf)
    .map((task) => ({ id: task.id, serviceId: task.serviceId, usage: usageOf(task) }))
    .filter(({ usage }) => usage.finishedAt >= fromHour * HOUR_MS && usage.finishedAt < beforeHour * HOUR_MS);
  return { settled, arriving };
}

function sum(column: string): string {
  return `CAST(SUM(${column}) AS BIGINT) AS ${column}`;
}
