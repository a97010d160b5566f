/**
 * Forgets nodes that were evicted long ago. Until then the record is what revokes the certificates of the node, and rejects
 * join tokens from before the eviction: by then both have expired, where this service issued them.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { remove } from "../store/change.ts";
import type { Store, View } from "../store/store.ts";

/** Thirty times as long as a certificate or a join token lasts at most. */
export const EVICTED_NODE_RETAINED_MS = 30 * 24 * 3_600_000;

/** Returns how many were removed. */
export async function forgetEvictedNodes(store: Pick<Store, "commit" | "view">, now: Instant): Promise<number> {
  const { nodes } = store.view;
  const referred = nodesReferredTo(store.view);
  let removed = 0;
  for (const node of [...nodes.values()]) {
    const { id, state, since, enrolmentId } = node.value;
    // A certificate of another authority may last for years.
    const isDue = state === "gone" && enrolmentId !== undefined && since + EVICTED_NODE_RETAINED_MS <= now;
    if (!isDue || referred.has(id)) continue;
    if ((await store.commit([remove("nodes", node)])).kind === "committed") removed += 1;
  }
  return removed;
}

/** What is still assigned there, and homes of shells on its disks. */
function nodesReferredTo({ assignments, shells }: Pick<View, "assignments" | "shells">): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { value } of assignments.values()) ids.add(value.nodeId);
  for (const { value } of shells.values()) if (value.nodeId !== null) ids.add(value.nodeId);
  return ids;
}
