/** What a machine of a pool needs next, by its record and its node. Pure; each step may be repeated. */
import type { Instant } from "@elastic/std/clock.ts";
import { type Pool, whatMachineLacks } from "../domain/pool.ts";
import { dismissed, draining, isGrown, joined, type PoolMachine, releasing } from "../domain/pool-machine.ts";
import type { NodeFacts } from "./node-facts.ts";

export type MachineStep =
  | { readonly kind: "call"; readonly what: "grow" | "shrink" }
  /** `evicts`: its node too, in the same commit. */
  | { readonly kind: "become"; readonly after: PoolMachine; readonly evicts: boolean };

/** A node may be cut off and come back; what ran there runs elsewhere long before. */
const LOST_MS = 600_000;
/** By then whatever was placed there before it drained shows in its records. */
const DRAIN_SETTLES_MS = 5_000;

/** Null where it waits. */
export function stepMachine(
  pool: Pool,
  machine: PoolMachine,
  node: NodeFacts | undefined,
  now: Instant,
): MachineStep | null {
  switch (machine.state) {
    case "requested":
    case "booting":
      return stepBoot(pool, machine, node, now);
    case "joined":
      return stepJoined(machine, node, now);
    case "draining":
      return stepDraining(machine, node, now);
    case "releasing":
      if (!isGrown(machine)) return become(dismissed(machine, now), true);
      return now >= machine.calls.nextAt ? { kind: "call", what: "shrink" } : null;
    case "released":
      return null;
  }
}

function stepBoot(pool: Pool, machine: PoolMachine, node: NodeFacts | undefined, now: Instant): MachineStep | null {
  if (node?.state === "ready" || node?.state === "draining") {
    const lacks = whatMachineLacks(pool, node.inventory);
    if (lacks === null) return become(joined(machine, now));
    return become(releasing(machine, `it is not what the pool offers: ${lacks}`, now), true);
  }
  if (node?.state === "gone") return become(releasing(machine, "its node was evicted", now));
  if (now >= machine.requestedAt + pool.bootMs) return become(releasing(machine, whyNotUp(pool, machine), now), true);
  return machine.state === "requested" && now >= machine.calls.nextAt ? { kind: "call", what: "grow" } : null;
}

function whyNotUp({ bootMs }: Pool, { state, calls, nodeId }: PoolMachine): string {
  const within = `within ${bootMs / 1000} s`;
  if (state === "requested") return `its driver did not add it ${within}: ${calls.lastError ?? "it has not responded"}`;
  return nodeId === null ? `it did not enroll ${within}` : `it enrolled and did not connect ${within}`;
}

function stepJoined(machine: PoolMachine, node: NodeFacts | undefined, now: Instant): MachineStep | null {
  if (node === undefined || node.state === "gone") return become(releasing(machine, "its node was evicted", now));
  if (isLostForLong(node, now)) return become(releasing(machine, "its node was lost", now), true);
  return node.hasSpotNotice ? become(draining(machine, now)) : null;
}

function stepDraining(machine: PoolMachine, node: NodeFacts | undefined, now: Instant): MachineStep | null {
  if (node === undefined || node.state === "gone") return become(releasing(machine, null, now));
  // Somebody has resumed it.
  if (!node.drains) return become(joined(machine, now));
  const isEmpty = node.idleSince !== null && now - machine.since >= DRAIN_SETTLES_MS;
  return isEmpty || isLostForLong(node, now) ? become(releasing(machine, null, now), true) : null;
}

function isLostForLong({ state, since }: NodeFacts, now: Instant): boolean {
  return state === "lost" && now - since >= LOST_MS;
}

function become(after: PoolMachine, evicts = false): MachineStep {
  return { kind: "become", after, evicts };
}
