/** What pools go by of a machine's node. */
import type { Instant } from "@elastic/std/clock.ts";
import type { NodeInventory, NodeState } from "../domain/node.ts";

export interface NodeFacts {
  readonly state: NodeState;
  readonly since: Instant;
  readonly inventory: NodeInventory;
  /** Since when nothing is there, no home of a shell either; null while something is. */
  readonly idleSince: Instant | null;
  /** Whether it is to take nothing new. */
  readonly drains: boolean;
  /** Whether its machine is about to be taken away. */
  readonly hasSpotNotice: boolean;
}
