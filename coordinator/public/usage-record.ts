/** The one place that knows usage as public JSON. */
import { z } from "zod";
import { type Histogram, percentile } from "../domain/duration-histogram.ts";
import type { EndedPhase, ServiceUsage, UsageSums } from "../domain/usage-sums.ts";
import type { View } from "../store/store.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

export const HOUR_MS = 3_600_000;

const timesSchema = z
  .object({ p50: z.number(), p95: z.number(), p99: z.number() })
  .nullable()
  .describe("Null where no task was started.");

export const endedTasksSchema = z.object({
  succeeded: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  timed_out: z.int(),
  expired: z.int(),
});

const sumsSchema = z.object({
  tasks: endedTasksSchema,
  gpu_seconds: z.number().describe("Run time of each task's last attempt, times the GPUs of its deployment."),
  slot_seconds: z.number().describe("The same with slots, which deployments without GPUs have too."),
  queue_seconds: timesSchema,
  run_seconds: timesSchema,
});

export const usageSchema = z
  .object({
    team_id: idSchema,
    from: timestampSchema,
    to: timestampSchema,
    total: sumsSchema,
    services: z.array(sumsSchema.extend({ service_id: idSchema, service_name: z.string() })),
  })
  .meta({ id: "Usage" });

export interface UsageRange {
  readonly teamId: string;
  readonly fromHour: number;
  readonly beforeHour: number;
}

export function usageRecord(
  view: Pick<View, "services">,
  { teamId, fromHour, beforeHour }: UsageRange,
  sums: UsageSums,
): z.output<typeof usageSchema> {
  const services = [...sums.services].map(([id, usage]) => ({
    service_id: id,
    service_name: view.services.get(id)?.value.name ?? "",
    ...sumsRecord(usage),
  }));
  return {
    team_id: teamId,
    from: timestamp(fromHour * HOUR_MS),
    to: timestamp(beforeHour * HOUR_MS),
    total: sumsRecord(sums.total()),
    services: services.sort((a, b) => (a.service_id < b.service_id ? -1 : 1)),
  };
}

function sumsRecord({ tasks, gpuMs, slotMs, queue, run }: ServiceUsage): z.output<typeof sumsSchema> {
  return {
    tasks: endedTasksRecord(tasks),
    gpu_seconds: gpuMs / 1000,
    slot_seconds: slotMs / 1000,
    queue_seconds: timesRecord(queue),
    run_seconds: timesRecord(run),
  };
}

export function endedTasksRecord(tasks: ReadonlyMap<EndedPhase, number>): z.output<typeof endedTasksSchema> {
  const count = (phase: EndedPhase): number => tasks.get(phase) ?? 0;
  return {
    succeeded: count("succeeded"),
    failed: count("failed"),
    cancelled: count("cancelled"),
    timed_out: count("timed_out"),
    expired: count("expired"),
  };
}

function timesRecord(histogram: Histogram): z.output<typeof timesSchema> {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(histogram, share));
  if (p50 == null || p95 == null || p99 == null) return null;
  return { p50: seconds(p50), p95: seconds(p95), p99: seconds(p99) };
}

/** To the millisecond: the buckets' middles have many digits and mean none of them. */
function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}
