/** Forgets nodes that were evicted or lost long ago, unless something is still assigned there or a home of a shell is on their disks. */
import type { Instant } from "@elastic/std/clock.ts";
import { isNodeForgotten } from "../domain/node-retention.ts";
import { remove } from "../store/change.ts";
import type { Store, View } from "../store/store.ts";

/** Returns how many were removed. */
export async function forgetPastNodes(store: Pick<Store, "commit" | "view">, now: Instant): Promise<number> {
  const { nodes } = store.view;
  const referred = nodesReferredTo(store.view);
  let removed = 0;
  for (const node of [...nodes.values()]) {
    if (!isNodeForgotten(node.value, now) || referred.has(node.value.id)) continue;
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
