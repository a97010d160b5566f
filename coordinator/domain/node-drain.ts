/** Drains: how a node comes to take nothing new and takes work again, and when nothing is left there. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Drain, Node, NodeState } from "./node.ts";

/** What a node still holds. */
export interface Remaining {
  readonly attempts: number;
  /** Shells, those included whose home is being erased. */
  readonly shells: number;
  /** Workloads of deployments. */
  readonly workloads: number;
}

/** What is said of a node: its state, and of one that drains whether anything is left there. */
export type NodeStanding = NodeState | "drained";

/** Repeating it changes nothing, unless shells are to be stopped too, or the machine is about to be taken away. */
export function drain(node: Node, order: Drain): Node {
  assertInFleet(node);
  const { drain: before } = node;
  const drain = drainAfter(before, order);
  if (drain === before) return node;
  return node.state === "ready" ? { ...node, drain, state: "draining", since: order.askedAt } : { ...node, drain };
}

function drainAfter(before: Drain | undefined, order: Drain): Drain {
  if (before === undefined) return order;
  const { quarantine } = before;
  if (quarantine?.isDrainRequested === false)
    return { ...order, quarantine: { ...quarantine, isDrainRequested: true } };
  const stopShells = before.stopShells || order.stopShells;
  const isNews = stopShells !== before.stopShells || (order.spot === true && before.spot !== true);
  return isNews ? { ...before, stopShells, ...(order.spot === true && { spot: true }) } : before;
}

/** It takes work again, also from a quarantine; one that takes work already stays as it is. */
export function resume(node: Node, now: Instant): Node {
  assertInFleet(node);
  if (node.drain === undefined) return node;
  const { drain: _, ...rest } = node;
  return node.state === "draining" ? { ...rest, state: "ready", since: now } : rest;
}

export function standingOf({ state }: Pick<Node, "state">, { attempts, shells, workloads }: Remaining): NodeStanding {
  return state === "draining" && attempts + shells + workloads === 0 ? "drained" : state;
}

/** What the users of shells there should know. */
export function noticeToShells({ drain }: Pick<Node, "drain">): string | null {
  return drain === undefined ? null : DRAIN_NOTICE;
}

const DRAIN_NOTICE =
  "its machine is to be emptied: stop the shell when you can. Its home stays there, and it starts again once the machine takes work";

function assertInFleet({ id, state }: Node): void {
  if (state === "gone") throw new Error(`node ${id} is gone`);
}
