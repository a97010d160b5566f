/** Which of a node's free GPUs a workload gets: the smallest that do. Pure. */
import { type GpuWish, suitsGpu } from "../../domain/gpu-wish.ts";
import type { NodeGpu } from "../../domain/node.ts";

/** None for a workload without GPU; null where there are not enough that suit it. */
export function fitGpus(wish: GpuWish, free: readonly NodeGpu[]): readonly NodeGpu[] | null {
  const suitable = free
    .filter((gpu) => gpu.unhealthyReason === null && suitsGpu(gpu, wish))
    .toSorted((a, b) => a.memoryBytes - b.memoryBytes);
  return suitable.length < wish.gpuCount ? null : suitable.slice(0, wish.gpuCount);
}
