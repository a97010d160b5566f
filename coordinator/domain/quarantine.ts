/**
 * A node whose agent repeatedly sends what no agent sends takes no work: it drains, until an operator resumes it or it has sent
 * nothing of the kind for an hour. Stored as part of its drain, so that coordinators of earlier versions honour it too.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Node, Quarantine } from "./node.ts";
import { drain, resume } from "./node-drain.ts";

/** Without a further message that was refused. */
export const QUARANTINE_MS = 3_600_000;
/** How precisely its record knows when the last one was refused: it is not written more often. */
const NOTED_EVERY_MS = 60_000;

/** The record after its agent has sent too much that was refused; the same object where that is nothing new. */
export function quarantined(node: Node, reason: string, now: Instant): Node {
  if (node.state === "gone") return node;
  const { drain: order } = node;
  if (order?.quarantine === undefined) {
    const quarantine = { since: now, lastRefusedAt: now, reason, isDrainRequested: order !== undefined };
    if (order !== undefined) return { ...node, drain: { ...order, quarantine } };
    return drain(node, { askedAt: now, userId: null, stopShells: false, quarantine });
  }
  const { lastRefusedAt } = order.quarantine;
  if (now - lastRefusedAt < NOTED_EVERY_MS) return node;
  return { ...node, drain: { ...order, quarantine: { ...order.quarantine, lastRefusedAt: now } } };
}

/** It takes work again, unless somebody has requested that it drain. */
export function released(node: Node, now: Instant): Node {
  if (node.drain?.quarantine === undefined) return node;
  const { quarantine, ...order } = node.drain;
  return quarantine.isDrainRequested ? { ...node, drain: order } : resume(node, now);
}

/** As requested on the machine itself: it ends what was requested, and not the quarantine. */
export function resumedOnMachine(node: Node, now: Instant): Node {
  const quarantine = node.drain?.quarantine;
  if (quarantine === undefined) return resume(node, now);
  if (!quarantine.isDrainRequested) return node;
  const order = { askedAt: quarantine.since, userId: null, stopShells: false };
  return { ...node, drain: { ...order, quarantine: { ...quarantine, isDrainRequested: false } } };
}

export function releasedAt({ lastRefusedAt }: Quarantine): Instant {
  return lastRefusedAt + QUARANTINE_MS;
}
