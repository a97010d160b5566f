/** Which types of GPUs there are, and how many of each could be given out now. Pure. */
import { givableGpus } from "./gpu-wish.ts";
import { type Node, type NodeGpu, takesWorkloads } from "./node.ts";

export interface GpuTypeCount {
  /** By which a deployment or a shell requests it. */
  readonly gpuType: string;
  readonly model: string;
  /** Empty for a full GPU. */
  readonly migProfile: string;
  /** Of the smallest. */
  readonly memoryBytes: number;
  readonly total: number;
  /** Well, given to nobody, and on a node that takes work. */
  readonly free: number;
}

/** A node with the assignments of its GPUs, by their uuids. */
export interface GpuHolder {
  readonly node: Pick<Node, "state" | "inventory">;
  readonly held: { has(uuid: string): boolean };
}

/** An instance is of another type than the GPU that it is cut from. */
export function gpuTypeOf({ model, migProfile }: Pick<NodeGpu, "model" | "migProfile">): string {
  return migProfile === "" ? model : `${model} ${migProfile}`;
}

/** By name. */
export function countGpuTypes(holders: Iterable<GpuHolder>): readonly GpuTypeCount[] {
  const counts = new Map<string, GpuTypeCount>();
  for (const { node, held } of holders) {
    for (const gpu of givableGpus(node.inventory.gpus)) {
      const isFree = takesWorkloads(node) && gpu.unhealthyReason === null && !held.has(gpu.uuid);
      const type = gpuTypeOf(gpu);
      counts.set(type, counted(counts.get(type) ?? none(type, gpu), gpu, isFree));
    }
  }
  return [...counts.values()].sort((a, b) => (a.gpuType < b.gpuType ? -1 : 1));
}

/** Whether every word of `type` is one of the GPU's type. */
export function isOfGpuType(gpu: NodeGpu, type: string): boolean {
  const words = new Set(wordsOf(gpuTypeOf(gpu)));
  return wordsOf(type).every((word) => words.has(word));
}

function none(gpuType: string, { model, migProfile, memoryBytes }: NodeGpu): GpuTypeCount {
  return { gpuType, model, migProfile, memoryBytes, total: 0, free: 0 };
}

function counted(count: GpuTypeCount, { memoryBytes }: NodeGpu, isFree: boolean): GpuTypeCount {
  return {
    ...count,
    memoryBytes: Math.min(count.memoryBytes, memoryBytes),
    total: count.total + 1,
    free: count.free + (isFree ? 1 : 0),
  };
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}
