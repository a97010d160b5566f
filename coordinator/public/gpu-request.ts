/** What deployments and shells alike request of GPUs, and of labels of their machines. */
import { z } from "zod";
import type { Resources } from "../domain/deployment.ts";

const GPU_MEMORY_BYTES_MAX = 1024 ** 4;
/** As agents take them. */
const LABEL = /^[A-Za-z0-9._/-]{1,63}$/;
const LABEL_VALUE = /^[A-Za-z0-9._/-]{0,63}$/;
/** They stand in the deployment's record, which must stay small. */
const LABELS_BYTES_MAX = 512;

export const gpuMembers = {
  gpu_memory_bytes: z.int().min(0).max(GPU_MEMORY_BYTES_MAX).default(0).describe("What each GPU has at least."),
  gpu_mig_profile: z
    .string()
    .regex(/^(\d{1,2}c\.)?\d{1,2}g\.\d{1,4}gb(\+[a-z.]{1,16})?$/, "a MIG profile, as 1g.10gb")
    .nullable()
    .default(null)
    .describe("An instance of a GPU that is cut, as 1g.10gb; null for whatever fits best."),
};

export const nodeLabelsSchema = z
  .record(
    z.string().regex(LABEL, "up to 63 letters, digits, dots, dashes, underscores and slashes"),
    z.string().regex(LABEL_VALUE, "up to 63 letters, digits, dots, dashes, underscores and slashes"),
  )
  .refine((labels) => JSON.stringify(labels).length <= LABELS_BYTES_MAX, `at most ${LABELS_BYTES_MAX} bytes as JSON`)
  .default({})
  .describe("Only on machines that have all of these labels.");

interface GpuRequest {
  readonly gpu_count?: number | undefined;
  readonly gpu_model: string | null;
  readonly gpu_memory_bytes: number;
  readonly gpu_mig_profile: string | null;
}

/** What no machine could ever mean. */
export function refuseOddGpus(requested: GpuRequest, context: z.RefinementCtx): void {
  const refuse = (member: keyof GpuRequest, message: string) =>
    context.addIssue({ code: "custom", path: [member], message });
  if (requested.gpu_count === 0) {
    const odd = (["gpu_model", "gpu_memory_bytes", "gpu_mig_profile"] as const).find((member) => requested[member]);
    if (odd !== undefined) refuse(odd, "requests a GPU, but gpu_count is 0");
  }
  if (requested.gpu_mig_profile !== null && (requested.gpu_count ?? 1) > 1) {
    refuse("gpu_count", "a program sees one MIG instance at most: leave it out, or request whole GPUs");
  }
}

export function requestedGpus(requested: GpuRequest): Pick<Resources, "gpuCount" | "gpuMemoryBytes" | "gpuMigProfile"> {
  const { gpu_count: count, gpu_model: model, gpu_memory_bytes: memoryBytes, gpu_mig_profile: profile } = requested;
  const asksForGpu = model !== null || memoryBytes > 0 || profile !== null;
  return { gpuCount: count ?? (asksForGpu ? 1 : 0), gpuMemoryBytes: memoryBytes, gpuMigProfile: profile };
}
