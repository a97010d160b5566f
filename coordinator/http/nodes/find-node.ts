/** A node's record as it is now, and changes of it. What is unknown and what is no name are refused in the same words. */
import { isNodeName } from "../../domain/join-token.ts";
import type { Node } from "../../domain/node.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { updateRecord } from "../../store/update.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { notFound, Problem } from "../problems/problem.ts";

export async function readNode({ store }: Pick<RecordDeps, "store">, id: string): Promise<Versioned<Node>> {
  const node = isNodeName(id) ? await store.get("nodes", id) : null;
  if (node === null) throw notFound("node");
  return node;
}

/** Returns the node as it is then, and whether it was changed: `next` returns the same node where it was not. */
export async function changeNode(
  deps: Pick<RecordDeps, "store">,
  id: string,
  next: (node: Node) => Node,
): Promise<{ readonly node: Node; readonly isChanged: boolean }> {
  const { result: node, isChanged } = await updateRecord(deps.store, "nodes", () => readNode(deps, id), next);
  return { node, isChanged };
}

/** What is gone is neither drained nor resumed. */
export function refuseGone({ state }: Node): void {
  if (state === "gone") {
    throw new Problem("node_gone", "The node was evicted: it accepts work again once it is enrolled again.");
  }
}
