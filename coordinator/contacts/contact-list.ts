/** What a coordinator publishes of its contact with nodes, under its lease: whom it reaches, and since when no longer whom. */
import { z } from "zod";

/** Two heartbeats. */
const SEEN_WITHIN_MS = 6_000;
/** Longer than it takes until a node is lost. */
const REMEMBERED_MS = 60_000;

const contactList = z.object({
  /** Ids of the nodes it reaches. */
  nodes: z.array(z.string()),
  /** By the ids of those it reached within the last minute and does not now: how long ago it last saw them, in milliseconds. */
  unseen: z.record(z.string(), z.number()),
  /** Of `nodes`, those from which only heartbeats of their agents' threads arrive: nothing can be sent to them. */
  unresponsive: z.array(z.string()).optional(),
  /** Null where it does not lead. */
  leaderEpoch: z.number().nullable().optional(),
  /** Whether it could lead. */
  isCandidate: z.boolean().optional(),
  /** Whether it can send commands in the leader's name. */
  canCommand: z.boolean().optional(),
});

export type ContactList = z.infer<typeof contactList>;

/** Null for what is none, such as a later version's. */
export function decodeContactList(value: Buffer): ContactList | null {
  try {
    return contactList.parse(JSON.parse(value.toString("utf8")));
  } catch {
    return null;
  }
}

/** Of the nodes that a coordinator knows, by when it last saw them on its monotonic clock. */
export function contactListOf(
  lastSeen: Iterable<readonly [nodeId: string, lastSeenMs: number]>,
  nowMs: number,
  isUnresponsive: (nodeId: string) => boolean = () => false,
): ContactList {
  const nodes: string[] = [];
  const unseen: Record<string, number> = {};
  for (const [nodeId, lastSeenMs] of lastSeen) {
    const agoMs = nowMs - lastSeenMs;
    if (agoMs < SEEN_WITHIN_MS) nodes.push(nodeId);
    else if (agoMs < REMEMBERED_MS) unseen[nodeId] = agoMs;
  }
  const unresponsive = nodes.sort().filter(isUnresponsive);
  return { nodes, unseen, ...(unresponsive.length === 0 ? {} : { unresponsive }) };
}

/** Whether others learn nothing from the newer one. That time passes for the others they know themselves. */
export function saysTheSame(one: ContactList, newer: ContactList): boolean {
  if (one.leaderEpoch !== newer.leaderEpoch || one.isCandidate !== newer.isCandidate) return false;
  return isSameList(one.nodes, newer.nodes) && isSameList(one.unresponsive ?? [], newer.unresponsive ?? []);
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at]);
}
