import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { evicted, type Node } from "../domain/node.ts";
import { aNode, aShell } from "../domain/testing/records.ts";
import { create } from "../store/change.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import { EVICTED_NODE_RETAINED_MS, forgetEvictedNodes } from "./evicted-nodes.ts";

const NOW = 1_800_000_000_000;
const LONG_AGO = NOW - EVICTED_NODE_RETAINED_MS;

function enrolledNode(id: string, given: Partial<Node> = {}): Node {
  return aNode(id, { node: { enrolmentId: "e", ...given } });
}

test("forgets a node 30 days after its eviction, unless another authority certified it or a home is on it", async () => {
  const kv = memoryKv();
  const store = await openStore({ kv, clock: systemClock, log: createLog({ name: "test", level: "silent" }) });
  const nodes = [
    evicted(enrolledNode("long-ago"), LONG_AGO),
    evicted(enrolledNode("lately"), LONG_AGO + 1),
    evicted(aNode("other-authority"), LONG_AGO),
    evicted(enrolledNode("with-home"), LONG_AGO),
    enrolledNode("lost", { state: "lost", since: 0 }),
  ];
  for (const node of nodes) await store.commit([create("nodes", node)]);
  await store.commit([create("shells", aShell({ id: newId(1), nodeId: "with-home" }))]);

  expect(await forgetEvictedNodes(store, NOW)).toBe(1);
  const left = [...store.view.nodes.values()].map(({ value }) => value.id);
  expect(left.sort()).toEqual(["lately", "lost", "other-authority", "with-home"]);
  await store.close();
  await kv.close();
});
