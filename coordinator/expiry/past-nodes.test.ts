import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { evicted, lost, type Node } from "../domain/node.ts";
import { PAST_NODE_RETAINED_MS } from "../domain/node-retention.ts";
import { aNode, anAssignment, aReadyService, aShell } from "../domain/testing/records.ts";
import { create } from "../store/change.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import { forgetPastNodes } from "./past-nodes.ts";

const NOW = 1_800_000_000_000;
const LONG_AGO = NOW - PAST_NODE_RETAINED_MS;

function enrolledNode(id: string, given: Partial<Node> = {}): Node {
  return aNode(id, { node: { enrolmentId: "e", certificateEndsAt: LONG_AGO, ...given } });
}

test("forgets a node 30 days after its eviction or the end of its last certificate, unless something of it is still there", async () => {
  const kv = memoryKv();
  const store = await openStore({ kv, clock: systemClock, log: createLog({ name: "test", level: "silent" }) });
  const nodes = [
    evicted(enrolledNode("evicted"), LONG_AGO),
    lost(enrolledNode("lost"), LONG_AGO),
    lost(enrolledNode("lost-lately"), LONG_AGO + 1),
    evicted(enrolledNode("with-home"), LONG_AGO),
    lost(enrolledNode("lost-with-home"), LONG_AGO),
    lost(enrolledNode("lost-with-assignment"), LONG_AGO),
  ];
  for (const node of nodes) await store.commit([create("nodes", node)]);
  await store.commit([create("shells", aShell({ id: newId(1), nodeId: "with-home" }))]);
  await store.commit([create("shells", aShell({ id: newId(2), nodeId: "lost-with-home" }))]);
  await store.commit([create("assignments", anAssignment(aReadyService().deployment, "lost-with-assignment"))]);

  expect(await forgetPastNodes(store, NOW)).toBe(2);
  const left = [...store.view.nodes.values()].map(({ value }) => value.id);
  expect(left.sort()).toEqual(["lost-lately", "lost-with-assignment", "lost-with-home", "with-home"]);
  await store.close();
  await kv.close();
});
