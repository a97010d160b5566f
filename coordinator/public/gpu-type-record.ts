/** The one place that knows the public JSON of a type of GPUs. Of no machine and no team, since every key may read it. */
import { z } from "zod";
import type { GpuTypeCount } from "../domain/gpu-types.ts";

export const gpuTypeSchema = z
  .object({
    gpu_type: z.string().describe("By which a deployment or a shell requests it."),
    model: z.string(),
    memory_bytes: z.int().describe("Of the smallest."),
    mig_profile: z.string().nullable().describe("null: of whole GPUs."),
    total: z.int().describe("On machines that respond."),
    free: z.int().describe("Those that could be given out now."),
  })
  .meta({ id: "GpuType" });

export type GpuTypeRecord = z.output<typeof gpuTypeSchema>;

export function gpuTypeRecord({ gpuType, model, memoryBytes, migProfile, total, free }: GpuTypeCount): GpuTypeRecord {
  return {
    gpu_type: gpuType,
    model,
    memory_bytes: memoryBytes,
    mig_profile: migProfile === "" ? null : migProfile,
    total,
    free,
  };
}
