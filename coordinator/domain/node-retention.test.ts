import { expect, test } from "vitest";
import { evicted, lost, type Node } from "./node.ts";
import { isNodeForgotten, PAST_NODE_RETAINED_MS } from "./node-retention.ts";
import { aNode } from "./testing/records.ts";

const NOW = 1_800_000_000_000;
const DAY_MS = 24 * 3_600_000;
const DUE = NOW - PAST_NODE_RETAINED_MS;
const OWN = { enrolmentId: "e" };
const POOL = { id: "h100", machine: "i-1" };

function aNodeWith(given: Partial<Node>): Node {
  return aNode("gpu-7", { node: given });
}

test.each<[what: string, isForgotten: boolean, node: Node]>([
  ["evicted 30 days ago", true, evicted(aNodeWith(OWN), DUE)],
  ["evicted later", false, evicted(aNodeWith(OWN), DUE + 1)],
  ["evicted two days ago, of a pool", true, evicted(aNodeWith({ ...OWN, pool: POOL }), NOW - 2 * DAY_MS)],
  ["evicted a day ago, of a pool", false, evicted(aNodeWith({ ...OWN, pool: POOL }), NOW - DAY_MS)],
  ["evicted, whose certificate is of another authority", false, evicted(aNodeWith({ certificateEndsAt: 0 }), 0)],
  ["lost, whose certificate ended 30 days ago", true, lost(aNodeWith({ ...OWN, certificateEndsAt: DUE }), 0)],
  ["lost, whose certificate ended later", false, lost(aNodeWith({ ...OWN, certificateEndsAt: DUE + 1 }), 0)],
  [
    "lost, of another authority, whose certificate ended 30 days ago",
    true,
    lost(aNodeWith({ certificateEndsAt: DUE }), 0),
  ],
  ["lost later than its certificate ended", false, lost(aNodeWith({ certificateEndsAt: 0 }), DUE + 1)],
  ["lost, whose record is from before ends were recorded", true, lost(aNodeWith(OWN), DUE - DAY_MS)],
  ["lost likewise, a day less long ago", false, lost(aNodeWith(OWN), DUE - DAY_MS + 1)],
  ["lost likewise, of another authority", false, lost(aNodeWith({}), 0)],
  ["that never connected", true, aNodeWith({ ...OWN, state: "joining", certificateEndsAt: DUE })],
  ["that is ready", false, aNodeWith({ ...OWN, state: "ready", since: 0, certificateEndsAt: 0 })],
  ["that drains", false, aNodeWith({ ...OWN, state: "draining", since: 0, certificateEndsAt: 0 })],
])("decides of a node %s whether it is forgotten: %s", (_what, isForgotten, node) => {
  expect(isNodeForgotten(node, NOW)).toBe(isForgotten);
});
