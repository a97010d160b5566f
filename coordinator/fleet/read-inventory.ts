/** What an agent says of its machine, read for the node's record: bounded, and without what makes no sense. */
import type { Gpu, Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { NodeGpu, NodeInventory } from "../domain/node.ts";
import { headOf } from "./wire-text.ts";

const SLOTS_MAX = 1024;
const LABELS_MAX = 32;
/** Of a label's key, and of its value. */
const LABEL_BYTES_MAX = 63;
const BUILTIN_PROVERS_MAX = 32;
const NAME_BYTES_MAX = 128;
const UNHEALTHY_REASON_BYTES_MAX = 160;

export function readInventory(inventory: Inventory): NodeInventory {
  const engine = inventory.containerEngine;
  return {
    hostname: name(inventory.hostname),
    cpuCores: inventory.cpuCores,
    memoryBytes: count(inventory.memoryBytes),
    gpus: inventory.gpus.map(readGpu),
    slots: Math.min(inventory.slots, SLOTS_MAX),
    labels: Object.fromEntries(
      Object.entries(inventory.labels)
        .slice(0, LABELS_MAX)
        .map(([key, value]) => [headOf(key, LABEL_BYTES_MAX), headOf(value, LABEL_BYTES_MAX)]),
    ),
    engine: engine === undefined ? null : { name: name(engine.name), version: name(engine.version) },
    builtinProvers: inventory.builtinProvers.slice(0, BUILTIN_PROVERS_MAX).map(name),
    shells: inventory.shells,
  };
}

function readGpu(gpu: Gpu): NodeGpu {
  return {
    uuid: name(gpu.uuid),
    model: name(gpu.model),
    memoryBytes: count(gpu.memoryBytes),
    driverVersion: name(gpu.driverVersion),
    migProfile: name(gpu.migProfile),
    pciId: name(gpu.pciId),
    parentUuid: name(gpu.parentUuid),
    computeCapability: name(gpu.computeCapability),
    unhealthyReason: readUnhealthyReason(gpu.unhealthyReason),
  };
}

/** An agent says nothing of a GPU that is well. */
export function readUnhealthyReason(text: string): string | null {
  return text === "" ? null : headOf(text, UNHEALTHY_REASON_BYTES_MAX);
}

function name(text: string): string {
  return headOf(text, NAME_BYTES_MAX);
}

function count(number: bigint): number {
  return number > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(number);
}
