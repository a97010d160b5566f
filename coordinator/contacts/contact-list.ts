/** What a coordinator publishes of its contact with nodes, under its lease: whom it hears, and since when no longer whom. */
import { z } from "zod";

/** Two heartbeats. */
const HEARD_WITHIN_MS = 6_000;
/** Longer than it takes until a node is lost. */
const REMEMBERED_MS = 60_000;

const contactList = z.object({
  /** Ids of the nodes it hears. */
  nodes: z.array(z.string()),
  /** By the ids of those it heard within the last minute and does not hear now: how long ago it last did, in milliseconds. */
  unheard: z.record(z.string(), z.number()),
  /** Null where it does not lead. */
  leaderEpoch: z.number().nullable().optional(),
  /** Whether it could lead. */
  isCandidate: z.boolean().optional(),
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

/** Of the nodes that a coordinator knows, by when it last heard them on its monotonic clock. */
export function contactListOf(
  lastSeen: Iterable<readonly [nodeId: string, lastSeenMs: number]>,
  nowMs: number,
): ContactList {
  const nodes: string[] = [];
  const unheard: Record<string, number> = {};
  for (const [nodeId, lastSeenMs] of lastSeen) {
    const agoMs = nowMs - lastSeenMs;
    if (agoMs < HEARD_WITHIN_MS) nodes.push(nodeId);
    else if (agoMs < REMEMBERED_MS) unheard[nodeId] = agoMs;
  }
  return { nodes: nodes.sort(), unheard };
}

/** Whether others learn nothing from the newer one. That time passes for those it does not hear they know themselves. */
export function saysTheSame(one: ContactList, newer: ContactList): boolean {
  if (one.leaderEpoch !== newer.leaderEpoch || one.isCandidate !== newer.isCandidate) return false;
  return one.nodes.length === newer.nodes.length && one.nodes.every((id, at) => id === newer.nodes[at]);
}
