/** The one place that knows the public JSON of what the fleet lacks. For operators. */
import type { Instant } from "@elastic/std/clock.ts";
import { z } from "zod";
import { DEMAND_REASONS, type Demand } from "../domain/demand.ts";
import { memoryOf } from "../domain/deployment.ts";
import { timestampOrNull, timestampSchema } from "./timestamp.ts";

/** The longest wait first. */
const SHOWN_MAX = 200;

export const demandSchema = z
  .object({
    workloads: z.int().describe("How many more are wanted than machines have room for, in all."),
    tasks: z.int().describe("That wait for them."),
    items: z
      .array(
        z.object({
          gpu_type: z.string().nullable().describe("null for whichever there is, and where gpu_count is 0."),
          gpu_count: z.int().describe("Of each workload."),
          gpu_memory_bytes: z.int().describe("Of each GPU, at least."),
          mig_profile: z.string().nullable(),
          node_labels: z.record(z.string(), z.string()),
          cpu_millis: z.int(),
          memory_bytes: z.int(),
          shells: z.boolean().describe("Whether these are shells."),
          workloads: z.int(),
          tasks: z.int(),
          oldest_since: timestampSchema
            .nullable()
            .describe("When the task or shell that waits longest began to; null where only a minimum is not met."),
          oldest_seconds: z.number().nullable(),
          reason: z.enum(DEMAND_REASONS),
          message: z.string(),
        }),
      )
      .describe(`By what they require of a machine, the longest wait first; at most ${SHOWN_MAX}.`),
  })
  .meta({ id: "FleetDemand" });

export type DemandRecord = z.output<typeof demandSchema>;

export function demandRecord(demand: readonly Demand[], now: Instant): DemandRecord {
  return {
    workloads: sum(demand.map(({ workloads }) => workloads)),
    tasks: sum(demand.map(({ tasks }) => tasks)),
    items: demand.slice(0, SHOWN_MAX).map(({ fitted, shells, workloads, tasks, oldestSince, reason, message }) => {
      const { gpuModel, gpuCount, gpuMemoryBytes, gpuMigProfile, nodeLabels, cpuMillis } = fitted.resources;
      return {
        gpu_type: gpuModel,
        gpu_count: gpuCount,
        gpu_memory_bytes: gpuMemoryBytes,
        mig_profile: gpuMigProfile ?? null,
        node_labels: { ...nodeLabels },
        cpu_millis: cpuMillis,
        memory_bytes: memoryOf(fitted),
        shells,
        workloads,
        tasks,
        oldest_since: timestampOrNull(oldestSince),
        oldest_seconds: oldestSince === null ? null : Math.max(0, now - oldestSince) / 1000,
        reason,
        message,
      };
    }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
