/** What the records say of the nodes of pools' machines. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Node } from "../domain/node.ts";
import type { NodeWork } from "../nodes/node-work.ts";
import type { View } from "../store/store.ts";
import type { NodeFacts } from "./node-facts.ts";

export interface NodeFactsSource {
  readonly view: Pick<View, "nodes" | "shells">;
  readonly nodeWork: Pick<NodeWork, "assignmentsOn" | "attemptsOn">;
}

/** `idleSince`: since when a node that is empty now has been, as far as that is known. */
export function readNodeFacts(
  { view, nodeWork }: NodeFactsSource,
  idleSince: (node: Node) => Instant,
): (nodeId: string) => NodeFacts | undefined {
  const homes = new Set<string>();
  for (const { value } of view.shells.values()) if (value.nodeId !== null) homes.add(value.nodeId);
  return (nodeId) => {
    const node = view.nodes.get(nodeId)?.value;
    if (node === undefined) return undefined;
    const { state, since, inventory, drain } = node;
    const isEmpty =
      !homes.has(nodeId) && nodeWork.assignmentsOn(nodeId).length === 0 && nodeWork.attemptsOn(nodeId).length === 0;
    return {
      state,
      since,
      inventory,
      idleSince: isEmpty ? idleSince(node) : null,
      drains: drain !== undefined,
      hasSpotNotice: drain?.spot === true,
    };
  };
}
