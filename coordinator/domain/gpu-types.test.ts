import { expect, test } from "vitest";
import { countGpuTypes, type GpuHolder, isOfGpuType } from "./gpu-types.ts";
import type { Node, NodeGpu } from "./node.ts";
import { aGpu, aNode } from "./testing/records.ts";

const H100 = "NVIDIA H100 80GB HBM3";

function holder(gpus: readonly NodeGpu[], held: readonly string[] = [], node: Partial<Node> = {}): GpuHolder {
  return { node: aNode("node-a", { gpus, node }), held: new Set(held) };
}

test("GPUs are counted by type over all nodes, a free one being well, given to nobody and on a node that takes work", () => {
  const ill = aGpu("g3", { unhealthyReason: "Xid 79" });
  const nodes = [
    holder([aGpu("g1"), aGpu("g2"), ill], ["g1"]),
    // The same uuid on another node is another GPU.
    holder([aGpu("g1"), aGpu("a", { model: "NVIDIA A10", memoryBytes: 5 })]),
    holder([aGpu("g9")], [], { state: "draining" }),
    { node: aNode("node-b", { gpus: [aGpu("g10")], diskPressure: "its disk is full" }), held: new Set<string>() },
  ];
  expect(countGpuTypes(nodes)).toMatchObject([
    { gpuType: "NVIDIA A10", total: 1, free: 1, memoryBytes: 5 },
    { gpuType: H100, total: 6, free: 2, migProfile: "" },
  ]);
});

test("instances are a type of their own, and a GPU that is cut is no GPU to give", () => {
  const instance = (uuid: string) => aGpu(uuid, { migProfile: "1g.10gb", parentUuid: "g1", memoryBytes: 10 });
  const counts = countGpuTypes([holder([aGpu("g1"), instance("m1"), instance("m2")], ["m1"])]);
  expect(counts).toEqual([
    { gpuType: `${H100} 1g.10gb`, model: H100, migProfile: "1g.10gb", memoryBytes: 10, total: 2, free: 1 },
  ]);
});

test("matches a type by any of its words in full", () => {
  const instance = aGpu("m", { migProfile: "1g.10gb" });
  for (const wanted of ["h100", H100, "80gb h100", "1g.10gb"])
    expect([wanted, isOfGpuType(instance, wanted)]).toEqual([wanted, true]);
  for (const wanted of ["h10", "1g", "h200"]) expect([wanted, isOfGpuType(instance, wanted)]).toEqual([wanted, false]);
});
