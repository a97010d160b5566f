/**
 * A pool: machines that a driver can add to the fleet and remove from it, all alike. The leader grows it by what the
 * fleet lacks, and shrinks it by what stands idle (pools/decide-pools.ts).
 */
import type { Instant } from "@elastic/std/clock.ts";
import { givableGpus, suitsGpu } from "./gpu-wish.ts";
import type { Node, NodeGpu, NodeInventory } from "./node.ts";

/** What each of its machines has. */
interface PoolOffer {
  /** Words of the full name, as deployments request it; null without GPUs. */
  readonly gpuType: string | null;
  readonly gpuCount: number;
  /** Of each GPU. */
  readonly gpuMemoryBytes: number;
  readonly slots: number;
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Whether it runs containers. */
  readonly containers: boolean;
  readonly builtinProvers: readonly string[];
  readonly shells: boolean;
}

export interface PoolSecret {
  /** By `secrets`, for this pool. */
  readonly sealed: string;
}

export type PoolDriver =
  /** Requests to a URL, signed as deliveries of webhooks are. */
  | { readonly kind: "webhook"; readonly url: string; readonly secret: PoolSecret }
  /** A program of the operator's on the coordinators, by the name that their settings give it. */
  | { readonly kind: "command"; readonly name: string };

export interface Pool {
  /** Its name. */
  readonly id: string;
  readonly createdAt: Instant;
  /** At least so many machines, and at most. */
  readonly min: number;
  readonly max: number;
  /** So many more than are at work, for what comes next. */
  readonly warmSpare: number;
  /** So long a machine is idle, and nothing has grown, before it is removed. */
  readonly cooldownMs: number;
  /** From the request of a machine until it must have joined. */
  readonly bootMs: number;
  /** Of one machine, in the operator's currency. */
  readonly costPerHour: number;
  /** Of all of its machines together; null for no such bound. */
  readonly budgetPerHour: number | null;
  /** The same, in any 24 hours. */
  readonly budgetPerDay: number | null;
  readonly offer: PoolOffer;
  readonly driver: PoolDriver;
  /** Nothing grows until an operator resumes it. */
  readonly stopped: { readonly at: Instant; readonly reason: string } | null;
  /** When an operator last resumed it: failures before count no longer. */
  readonly resumedAt: Instant | null;
}

export const POOLS_MAX = 100;
export const POOL_MACHINES_MAX = 1_000;
export const DAY_MS = 24 * 3_600_000;

const POOL_NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
export const POOL_NAME_RULE = "1 to 40 lower-case letters, digits and dashes, a letter or digit first and last";

export function isPoolName(text: string): boolean {
  return POOL_NAME.test(text);
}

/** Why its bounds contradict each other, in a sentence; null where they do not. */
export function poolComplaint(
  pool: Pick<Pool, "min" | "max" | "costPerHour" | "budgetPerHour" | "budgetPerDay">,
): string | null {
  const { min, max, costPerHour, budgetPerHour, budgetPerDay } = pool;
  if (min > max) return `min is ${min}, which is more than max, ${max}`;
  const leastPerHour = min * costPerHour;
  if (budgetPerHour !== null && leastPerHour > budgetPerHour)
    return `min machines cost ${leastPerHour} an hour, which is more than budget_per_hour, ${budgetPerHour}`;
  if (budgetPerDay !== null && 24 * leastPerHour > budgetPerDay)
    return `min machines cost ${24 * leastPerHour} a day, which is more than budget_per_day, ${budgetPerDay}`;
  return null;
}

/** A machine of the pool as it would join, with nothing on it. */
export function offeredNode({ id, offer }: Pick<Pool, "id" | "offer">): Node {
  const gpus = Array.from({ length: offer.gpuCount }, (_, at) => offeredGpu(`${id}-${at}`, offer));
  const inventory: NodeInventory = {
    hostname: id,
    cpuCores: offer.cpuCores,
    memoryBytes: offer.memoryBytes,
    gpus,
    slots: offer.slots,
    labels: offer.labels,
    engine: offer.containers ? { name: "offered", version: "" } : null,
    builtinProvers: offer.builtinProvers,
    shells: offer.shells,
  };
  return { id, inventory, agentVersion: "", state: "ready", since: 0, sessionId: "" };
}

function offeredGpu(uuid: string, { gpuType, gpuMemoryBytes }: PoolOffer): NodeGpu {
  return {
    uuid,
    model: gpuType ?? "",
    memoryBytes: gpuMemoryBytes,
    driverVersion: "",
    migProfile: "",
    pciId: "",
    parentUuid: "",
    computeCapability: "",
    unhealthyReason: null,
  };
}

/** Of memory, what firmware and the kernel hold back is not the driver's fault. */
const MEMORY_OF_OFFER = 0.9;

/** What a machine that has joined lacks of what its pool offers, in words; null for nothing. */
export function whatMachineLacks({ offer }: Pick<Pool, "offer">, inventory: NodeInventory): string | null {
  const wish = {
    gpuCount: 1,
    gpuModel: offer.gpuType,
    gpuMemoryBytes: Math.floor(MEMORY_OF_OFFER * offer.gpuMemoryBytes),
  };
  const gpus = givableGpus(inventory.gpus).filter((gpu) => suitsGpu(gpu, wish));
  if (gpus.length < offer.gpuCount)
    return `it has ${gpus.length} of ${offer.gpuCount} GPUs of ${offer.gpuType ?? "any model"}`;
  if (inventory.slots < offer.slots) return `it has ${inventory.slots} of ${offer.slots} slots`;
  if (inventory.cpuCores < offer.cpuCores) return `it has ${inventory.cpuCores} of ${offer.cpuCores} CPU cores`;
  if (inventory.memoryBytes < MEMORY_OF_OFFER * offer.memoryBytes)
    return `it has ${inventory.memoryBytes} of ${offer.memoryBytes} bytes of memory`;
  const label = Object.entries(offer.labels).find(([name, value]) => inventory.labels[name] !== value);
  return label === undefined ? null : `it lacks the label ${label[0]}=${label[1]}`;
}
