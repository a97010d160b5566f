/** What a workload requires of GPUs, and which GPU satisfies it. Pure. */
import type { Resources } from "./deployment.ts";
import type { NodeGpu } from "./node.ts";

export type GpuWish = Pick<Resources, "gpuCount" | "gpuModel" | "gpuMemoryBytes" | "gpuMigProfile">;

/**
 * Whether the GPU would do, were it free and well. A wanted model is named by words of the full name, to which an
 * instance's profile belongs: `H100` suits `NVIDIA H100 80GB HBM3`, `A10` no `A100`, `1g.10gb` any instance of that
 * profile.
 */
export function suitsGpu(gpu: NodeGpu, { gpuCount, gpuModel, gpuMemoryBytes, gpuMigProfile }: GpuWish): boolean {
  if (gpu.memoryBytes < gpuMemoryBytes) return false;
  const has = new Set(words(`${gpu.model} ${gpu.migProfile}`));
  const wanted = gpuModel === null ? [] : words(gpuModel);
  if (!wanted.every((word) => has.has(word))) return false;
  if (gpuMigProfile) return gpuCount === 1 && gpu.migProfile.toLowerCase() === gpuMigProfile.toLowerCase();
  if (gpu.migProfile === "") return true;
  // A program sees one instance and never two.
  if (gpuCount > 1) return false;
  // A model without more means the full GPU.
  return gpuModel === null || gpuMemoryBytes > 0 || words(gpu.migProfile).every((word) => wanted.includes(word));
}

/** Without those that are cut: what runs on their instances has them. */
export function givableGpus(gpus: readonly NodeGpu[]): readonly NodeGpu[] {
  const cut = new Set(gpus.map(({ parentUuid }) => parentUuid));
  return gpus.filter(({ uuid }) => !cut.has(uuid));
}

/** For a person; empty for none. */
export function gpuWishText({ gpuCount, gpuModel, gpuMemoryBytes, gpuMigProfile }: GpuWish): string {
  if (gpuCount === 0) return "";
  const what = gpuMigProfile ? `MIG instance ${gpuMigProfile}` : gpuCount === 1 ? "GPU" : "GPUs";
  const memory = gpuMemoryBytes === 0 ? "" : ` with ${Math.round(gpuMemoryBytes / 1e8) / 10} GB`;
  return `${gpuCount} ${what} of ${gpuModel ?? "any model"}${memory}`;
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
