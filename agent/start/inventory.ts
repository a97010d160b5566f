/** What this machine or cluster has, as its hello has it. */
import { availableParallelism, hostname, totalmem } from "node:os";
import type { ContainerEngine, Gpu, Inventory, Speed } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { Capacity } from "../workloads/kubernetes/capacity.ts";

export interface InventoryParts {
  readonly gpus: readonly Gpu[];
  /** Of the cluster, where the node is one. */
  readonly cluster: Capacity | null;
  readonly slots: number | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly engine: ContainerEngine | null;
  readonly builtinProvers: readonly string[];
  readonly shells: boolean;
  /** At a time. */
  readonly builds: number;
  /** Null until it was measured. */
  readonly cpuSpeed: Speed | null;
}

/** A slot per GPU or MIG instance; without GPUs a set number, one per core by default. */
export function inventoryOf(parts: InventoryParts): Inventory {
  const cores = parts.cluster?.cpuCores ?? availableParallelism();
  return {
    hostname: hostname(),
    cpuCores: cores,
    memoryBytes: BigInt(Math.floor(parts.cluster?.memoryBytes ?? totalmem())),
    gpus: [...parts.gpus],
    slots: parts.gpus.length > 0 ? parts.gpus.length : (parts.slots ?? parts.cluster?.slots ?? cores),
    labels: { ...parts.labels },
    containerEngine: parts.engine ?? undefined,
    builtinProvers: [...parts.builtinProvers],
    shells: parts.shells,
    builds: parts.builds,
    cpuSpeed: parts.cpuSpeed ?? undefined,
  };
}
