/** The one place that knows the usage of a day as public JSON, and as CSV. */
import { z } from "zod";
import type { DayUsage } from "../domain/daily-usage.ts";
import type { View } from "../store/store.ts";
import { csvLine } from "./csv.ts";
import { idSchema } from "./id-schema.ts";
import { endedTasksRecord, endedTasksSchema } from "./usage-record.ts";

const DAY_MS = 86_400_000;

export const usageDaySchema = z
  .object({
    day: z.iso.date().describe("In UTC."),
    service_id: idSchema,
    service_name: z.string(),
    tasks: endedTasksSchema,
    gpu_seconds: z.number(),
    slot_seconds: z.number(),
  })
  .meta({ id: "UsageDay" });

export type UsageDayRecord = z.output<typeof usageDaySchema>;

export function usageDayRecords(
  { services }: Pick<View, "services">,
  rows: readonly DayUsage[],
): readonly UsageDayRecord[] {
  return rows.map(({ day, serviceId, tasks, gpuMs, slotMs }) => ({
    day: new Date(day * DAY_MS).toISOString().slice(0, 10),
    service_id: serviceId,
    service_name: services.get(serviceId)?.value.name ?? "",
    tasks: endedTasksRecord(tasks),
    gpu_seconds: gpuMs / 1000,
    slot_seconds: slotMs / 1000,
  }));
}

const COLUMNS = [
  "day",
  "service_id",
  "service_name",
  "tasks_succeeded",
  "tasks_failed",
  "tasks_cancelled",
  "tasks_timed_out",
  "tasks_expired",
  "gpu_seconds",
  "slot_seconds",
];

export function usageDaysText(days: readonly UsageDayRecord[]): string {
  const lines = days.map(({ day, service_id, service_name, tasks, gpu_seconds, slot_seconds }) =>
    csvLine([
      day,
      service_id,
      service_name,
      tasks.succeeded,
      tasks.failed,
      tasks.cancelled,
      tasks.timed_out,
      tasks.expired,
      gpu_seconds,
      slot_seconds,
    ]),
  );
  return csvLine(COLUMNS) + lines.join("");
}
