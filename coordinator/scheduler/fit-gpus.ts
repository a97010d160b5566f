/** Which of a node's free GPUs a workload gets: the smallest that do. Pure. */
import type { Resources } from "../domain/deployment.ts";
import type { NodeGpu } from "../domain/node.ts";

type Wish = Pick<Resources, "gpuCount" | "gpuModel" | "gpuMemoryBytes">;

/** None for a workload without GPU; null where there are not enough that suit it. */
export function fitGpus(wish: Wish, free: readonly NodeGpu[]): readonly NodeGpu[] | null {
  const suitable = free.filter((gpu) => suits(gpu, wish)).toSorted((a, b) => a.memoryBytes - b.memoryBytes);
  return suitable.length < wish.gpuCount ? null : suitable.slice(0, wish.gpuCount);
}

/**
 * A wanted model is named by words of the full name, to which an instance's profile belongs: `H100` suits
 * `NVIDIA H100 80GB HBM3`, `A10` no `A100`, `1g.10gb` any instance of that profile.
 */
function suits(gpu: NodeGpu, { gpuCount, gpuModel, gpuMemoryBytes }: Wish): boolean {
  if (gpu.unhealthyReason !== null || gpu.memoryBytes < gpuMemoryBytes) return false;
  const has = new Set(words(`${gpu.model} ${gpu.migProfile}`));
  const wanted = gpuModel === null ? [] : words(gpuModel);
  if (!wanted.every((word) => has.has(word))) return false;
  if (gpu.migProfile === "") return true;
  // A program sees one instance and never two.
  if (gpuCount > 1) return false;
  // Who names a model and no more means the whole of it.
  return gpuModel === null || gpuMemoryBytes > 0 || words(gpu.migProfile).every((word) => wanted.includes(word));
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
