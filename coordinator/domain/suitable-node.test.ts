import { newId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import type { Resources } from "./deployment.ts";
import type { Node } from "./node.ts";
import { whyNowhere } from "./suitable-node.ts";
import { aDeployment, aGpu, aNode } from "./testing/records.ts";

const NODES = [
  aNode("plain", { labels: { zone: "a" }, memoryBytes: 2 ** 40 }),
  aNode("gpus", { labels: { zone: "b" }, gpus: [aGpu("1"), aGpu("2", { unhealthyReason: "Xid 79" })], slots: 2 }),
];

function why(resources: Partial<Resources>, nodes: readonly Node[] = NODES) {
  return whyNowhere(aDeployment({ serviceId: newId(1), resources }), nodes);
}

test.each([
  { wish: { gpuCount: 1, gpuModel: "H200" }, reason: "no_such_gpu", text: "1 GPU of H200" },
  { wish: { gpuCount: 3 }, reason: "no_such_gpu", text: "3 GPUs of any model" },
  { wish: { gpuCount: 1, gpuMemoryBytes: 90e9 }, reason: "no_such_gpu", text: "1 GPU of any model with 90 GB" },
  { wish: { gpuCount: 1, gpuMigProfile: "1g.10gb" }, reason: "no_such_gpu", text: "1 MIG instance 1g.10gb" },
  {
    wish: { gpuCount: 1, nodeLabels: { zone: "a" } },
    reason: "no_such_gpu",
    text: "1 GPU of any model among those with the labels zone=a",
  },
  { wish: { nodeLabels: { zone: "c" } }, reason: "no_such_label", text: "the labels zone=c" },
  { wish: { memoryBytes: 2 ** 41 }, reason: "no_such_machine", text: "2097152 MiB of memory" },
  { wish: { gpuCount: 1, memoryBytes: 2 ** 35 }, reason: "no_such_machine", text: "1 GPU of any model, 1 CPU" },
])("what no machine has is named: $wish", ({ wish, reason, text }) => {
  expect(why(wish)).toMatchObject({ reason, message: expect.stringContaining(text) });
});

test("a machine that is away or draining, or a GPU in quarantine, may come back: nothing is said to be missing", () => {
  expect(why({ gpuCount: 2 })).toBeNull();
  for (const state of ["lost", "draining"] as const) expect(why({}, [aNode("a", { node: { state } })])).toBeNull();
});

test("a machine that left for good, or has not come yet, counts for nothing", () => {
  for (const state of ["gone", "joining"] as const) {
    expect(why({}, [aNode("a", { node: { state } })])).toEqual({
      reason: "no_such_machine",
      message: "the fleet has no machine for it",
    });
  }
});
