/** What this machine has, as its hello has it. */
import { availableParallelism, hostname, totalmem } from "node:os";
import type { ContainerEngine, Gpu, Inventory, Speed } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";

export interface InventoryParts {
  readonly gpus: readonly Gpu[];
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
  const cores = availableParallelism();
  return {
    hostname: hostname(),
    cpuCores: cores,
    memoryBytes: BigInt(totalmem()),
    gpus: [...parts.gpus],
    slots: parts.gpus.length > 0 ? parts.gpus.length : (parts.slots ?? cores),
    labels: { ...parts.labels },
    containerEngine: parts.engine ?? undefined,
    builtinProvers: [...parts.builtinProvers],
    shells: parts.shells,
    builds: parts.builds,
    cpuSpeed: parts.cpuSpeed ?? undefined,
  };
}
