/**
 * A machine with an agent, as the coordinator's record. Heartbeats never enter the store; only transitions do.
 *
 *   joining ─▶ ready ⇄ draining ─▶ gone     ready | draining ──silence──▶ lost ──hello──▶ ready | draining
 */
import type { Instant } from "@elastic/std/clock.ts";

/** What a device was measured at with the acceleration library. It is shown, and decides nothing. */
export interface Speed {
  readonly msmPointsPerSecond: number;
  readonly nttElementsPerSecond: number;
}

export interface NodeGpu {
  readonly uuid: string;
  readonly model: string;
  readonly memoryBytes: number;
  readonly driverVersion: string;
  /** Empty for a full GPU. */
  readonly migProfile: string;
  /** Where it sits in the machine. */
  readonly pciId: string;
  /** Of a MIG instance: the GPU that it is cut from. Empty for a full GPU. */
  readonly parentUuid: string;
  /** Such as `9.0`; empty where the driver does not say. */
  readonly computeCapability: string;
  /** Why its agent has quarantined it; null for one that may be given out. */
  readonly unhealthyReason: string | null;
  /** Left out until it was measured. */
  readonly speed?: Speed;
}

/** What the machine has, as its agent said at the last hello. */
export interface NodeInventory {
  readonly hostname: string;
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly gpus: readonly NodeGpu[];
  readonly slots: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Null when no engine responds there. */
  readonly engine: { readonly name: string; readonly version: string } | null;
  readonly builtinProvers: readonly string[];
  /** Whether shells can have their disks there. */
  readonly shells: boolean;
  /** How many builds of images it takes at a time; left out for none. */
  readonly builds?: number;
  /** Why it takes no new workloads, its disks being full; left out while they have room. */
  readonly diskPressure?: string;
  /** Left out until it was measured. */
  readonly cpuSpeed?: Speed;
  /** Of a machine whose record has no room for the speeds of all its GPUs: what they come to. */
  readonly gpusScore?: number;
}

/** How the node and the coordinators know each other, where that is by the coordinators' own authority. */
export interface NodeTrust {
  /** The name of the root that its certificate is of. */
  readonly issuer: string;
  readonly certificateEndsAt: Instant;
  /** Digests of the roots that it trusts. Left out by agents that do not state them. */
  readonly roots?: readonly string[];
}

/** Which pool a machine is of; the record of the pool's machine decides. */
interface NodePool {
  readonly id: string;
  /** As its driver names it. */
  readonly machine: string;
}

export type NodeState = "joining" | "ready" | "draining" | "lost" | "gone";

/** The wish that a node takes nothing new: what runs there ends, and nothing follows it. */
export interface Drain {
  readonly askedAt: Instant;
  /** Who requested it through the service; null for a request on the machine itself. */
  readonly userId: string | null;
  /** Whether shells are stopped too; otherwise they run until somebody stops them. */
  readonly stopShells: boolean;
  /** Left out unless the machine is about to be taken away by whoever it belongs to. */
  readonly spot?: true;
  /** Left out unless its agent repeatedly sent what no agent sends. */
  readonly quarantine?: Quarantine;
}

export interface Quarantine {
  readonly since: Instant;
  /** To the minute. */
  readonly lastRefusedAt: Instant;
  /** What was refused, in words. */
  readonly reason: string;
  /** Whether somebody requested the drain as well, which then outlasts the quarantine. */
  readonly isDrainRequested: boolean;
}

export interface Node {
  readonly id: string;
  readonly inventory: NodeInventory;
  readonly agentVersion: string;
  readonly state: NodeState;
  readonly since: Instant;
  /** Random for each start of the agent process. */
  readonly sessionId: string;
  /** Whose certificates are this node's: those of its newest enrollment. Left out for certificates of another authority. */
  readonly enrolmentId?: string;
  /** As of its last hello; left out before the first, and for certificates of another authority. */
  readonly trust?: NodeTrust;
  /** When the last of the certificates ends that it was given or has shown; left out in records from before this was recorded. */
  readonly certificateEndsAt?: Instant;
  /** The node's certificates are revoked from then on, until it is enrolled again. */
  readonly evictedAt?: Instant;
  /** Of a machine that joined with a token of a pool. */
  readonly pool?: NodePool;
  /** There while it is to take nothing new; a node that is away drains from its return on. */
  readonly drain?: Drain;
}

/** Whether new workloads may be placed there. */
export function takesWorkloads({ state, inventory }: Pick<Node, "state" | "inventory">): boolean {
  return state === "ready" && inventory.diskPressure === undefined;
}

/** The record after a hello. A node that is to drain does, however often it reconnects. */
export function greeted(
  before: Node | null,
  hello: Pick<Node, "id" | "inventory" | "agentVersion" | "sessionId" | "trust"> & {
    readonly certificateEndsAt?: Instant;
  },
  now: Instant,
): Node {
  const { enrolmentId, drain, certificateEndsAt, pool } = before ?? {};
  const { certificateEndsAt: shown, ...said } = hello;
  const state: NodeState = drain === undefined ? "ready" : "draining";
  const since = before?.state === state ? before.since : now;
  return {
    ...said,
    state,
    since,
    ...latestEnd(certificateEndsAt, shown),
    ...(enrolmentId === undefined ? {} : { enrolmentId }),
    ...(drain === undefined ? {} : { drain }),
    ...(pool === undefined ? {} : { pool }),
  };
}

/** The record after the node was given a certificate for a join token. */
export function enrolled(
  before: Node | null,
  as: Pick<Node, "id" | "enrolmentId" | "certificateEndsAt" | "pool">,
  now: Instant,
): Node {
  if (before === null) {
    return { ...as, inventory: NOTHING_YET, agentVersion: "", state: "joining", since: now, sessionId: "" };
  }
  const { evictedAt: _, trust: __, pool: ___, ...rest } = before;
  return before.state === "gone" ? { ...rest, ...as, state: "joining", since: now } : { ...rest, ...as };
}

/** The record after the node was given a certificate that ends then. The same where it has one that lasts as long. */
export function certified(node: Node, endsAt: Instant): Node {
  const { certificateEndsAt = Number.NEGATIVE_INFINITY } = node;
  return certificateEndsAt >= endsAt ? node : { ...node, certificateEndsAt: endsAt };
}

function latestEnd(...ends: readonly (Instant | undefined)[]): Pick<Node, "certificateEndsAt"> {
  const known = ends.filter((end) => end !== undefined);
  return known.length === 0 ? {} : { certificateEndsAt: Math.max(...known) };
}

const NOTHING_YET: NodeInventory = {
  hostname: "",
  cpuCores: 0,
  memoryBytes: 0,
  gpus: [],
  slots: 0,
  labels: {},
  engine: null,
  builtinProvers: [],
  shells: false,
};

/** What ran there is given to others, and the machine is not let in again. */
export function evicted(node: Node, now: Instant): Node {
  if (node.evictedAt !== undefined) return node;
  const { drain: _, ...rest } = node;
  return { ...rest, state: "gone", since: now, evictedAt: now };
}

export function lost(node: Node, now: Instant): Node {
  return { ...node, state: "lost", since: now };
}

/** The record after its agent said how its GPUs are; the same object where that is nothing new. */
export function withGpuHealth(node: Node, unhealthyReasons: ReadonlyMap<string, string | null>): Node {
  const isNews = node.inventory.gpus.some(({ uuid, unhealthyReason }) => {
    const said = unhealthyReasons.get(uuid);
    return said !== undefined && said !== unhealthyReason;
  });
  if (!isNews) return node;
  const gpus = node.inventory.gpus.map((gpu) => {
    const said = unhealthyReasons.get(gpu.uuid);
    return said === undefined ? gpu : { ...gpu, unhealthyReason: said };
  });
  return { ...node, inventory: { ...node.inventory, gpus } };
}
