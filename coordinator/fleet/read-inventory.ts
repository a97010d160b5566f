/** What an agent says of its machine, read for the node's record: bounded, and without what makes no sense. */
import type { Gpu, Inventory, Speed as WireSpeed } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { machineScore } from "@elastic/proto/score.ts";
import type { NodeGpu, NodeInventory, Speed } from "../domain/node.ts";
import { nameOf } from "./wire-text.ts";

const SLOTS_MAX = 1024;
const BUILDS_MAX = 64;
const LABELS_MAX = 32;
/** Of a label's key, and of its value. */
const LABEL_BYTES_MAX = 63;
const BUILTIN_PROVERS_MAX = 32;
const NAME_BYTES_MAX = 128;
/**
 * The record of a machine that is cut into more instances than this keeps room for why each is ill, and has none for
 * their speeds: it keeps what they come to.
 */
const SPEEDS_MAX = 16;
/** Of points or elements a second: beyond what any device does. */
const RATE_MAX = 1e15;
const UNHEALTHY_REASON_BYTES_MAX = 160;
const DISK_PRESSURE_BYTES_MAX = 300;

export function readInventory(inventory: Inventory): NodeInventory {
  const engine = inventory.containerEngine;
  const cpuSpeed = readSpeed(inventory.cpuSpeed);
  const gpus = inventory.gpus.map(readGpu);
  const hasRoom = gpus.length <= SPEEDS_MAX;
  const gpusScore = hasRoom ? null : sumOfScores(gpus);
  return {
    hostname: name(inventory.hostname),
    cpuCores: inventory.cpuCores,
    memoryBytes: count(inventory.memoryBytes),
    gpus: hasRoom ? gpus : gpus.map(({ speed: _, ...gpu }) => gpu),
    slots: Math.min(inventory.slots, SLOTS_MAX),
    labels: Object.fromEntries(
      Object.entries(inventory.labels)
        .slice(0, LABELS_MAX)
        .map(([key, value]) => [nameOf(key, LABEL_BYTES_MAX), nameOf(value, LABEL_BYTES_MAX)]),
    ),
    engine: engine === undefined ? null : { name: name(engine.name), version: name(engine.version) },
    builtinProvers: inventory.builtinProvers.slice(0, BUILTIN_PROVERS_MAX).map(name),
    shells: inventory.shells,
    ...(inventory.builds === 0 ? {} : { builds: Math.min(inventory.builds, BUILDS_MAX) }),
    ...(inventory.diskPressure ? { diskPressure: nameOf(inventory.diskPressure, DISK_PRESSURE_BYTES_MAX) } : {}),
    ...(cpuSpeed === null ? {} : { cpuSpeed }),
    ...(gpusScore === null ? {} : { gpusScore }),
  };
}

function readGpu(gpu: Gpu): NodeGpu {
  const speed = readSpeed(gpu.speed);
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
    ...(speed === null ? {} : { speed }),
  };
}

function sumOfScores(gpus: readonly NodeGpu[]): number | null {
  return machineScore(
    null,
    gpus.map(({ speed }) => speed ?? null),
  );
}

function readSpeed(speed: WireSpeed | undefined): Speed | null {
  if (speed === undefined) return null;
  const { msmPointsPerSecond, nttElementsPerSecond } = speed;
  const isRate = (rate: number): boolean => rate > 0 && rate <= RATE_MAX;
  return isRate(msmPointsPerSecond) && isRate(nttElementsPerSecond)
    ? { msmPointsPerSecond, nttElementsPerSecond }
    : null;
}

/** An agent says nothing of a GPU that is well. */
export function readUnhealthyReason(text: string): string | null {
  return text === "" ? null : nameOf(text, UNHEALTHY_REASON_BYTES_MAX);
}

function name(text: string): string {
  return nameOf(text, NAME_BYTES_MAX);
}

function count(number: bigint): number {
  return number > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(number);
}
