import { describe, expect, test } from "vitest";
import { aGpu, aNode } from "../../domain/testing/records.ts";
import { placed } from "../testing/place-steps.ts";

const h100 = (uuid: string) => aGpu(uuid);
const l4 = (uuid: string) => aGpu(uuid, { model: "NVIDIA L4", memoryBytes: 24 * 2 ** 30 });

describe("on GPUs", () => {
  test("a GPU of the requested model, by the words of its name", () => {
    const nodes = [aNode("cheap", { gpus: [l4("L4-1")] }), aNode("dear", { gpus: [h100("H-1")] })];
    expect(placed({ resources: { gpuCount: 1, gpuModel: "h100" } }, { nodes })).toEqual(["assign to dear H-1"]);
    expect(placed({ resources: { gpuCount: 1, gpuModel: "H10" } }, { nodes })).toEqual(["unschedulable"]);
  });

  test("the smallest GPU that has the memory", () => {
    const nodes = [aNode("dear", { gpus: [h100("H-1")] }), aNode("cheap", { gpus: [l4("L4-1")] })];
    expect(placed({ resources: { gpuCount: 1, gpuMemoryBytes: 2 ** 34 } }, { nodes })).toEqual([
      "assign to cheap L4-1",
    ]);
    expect(placed({ resources: { gpuCount: 1, gpuMemoryBytes: 2 ** 36 } }, { nodes })).toEqual(["assign to dear H-1"]);
  });

  test("where the fewest GPUs remain free, so that large blocks stay in one piece", () => {
    const nodes = [aNode("big", { gpus: [h100("1"), h100("2"), h100("3")] }), aNode("small", { gpus: [h100("4")] })];
    expect(placed({ resources: { gpuCount: 1 } }, { nodes })).toEqual(["assign to small 4"]);
    expect(placed({ resources: { gpuCount: 2 } }, { nodes })).toEqual(["assign to big 1 2"]);
  });

  test("nothing on a GPU in quarantine, and nothing in its slot", () => {
    const ill = { unhealthyReason: "the GPU fell off the bus (Xid 79)" };
    const nodes = [aNode("a", { gpus: [aGpu("1", ill), h100("2")], slots: 2 })];
    expect(placed({ resources: { gpuCount: 1 }, scaling: { min: 2, max: 2 } }, { nodes })).toEqual([
      "assign to a 2",
      "unschedulable",
    ]);
    expect(placed({}, { nodes: [aNode("a", { gpus: [aGpu("1", ill)], slots: 1 })] })).toEqual(["unschedulable"]);
  });

  test("a prover without GPU leaves nodes with GPUs alone while it can", () => {
    const nodes = [aNode("gpus", { gpus: [h100("1")], slots: 8 }), aNode("plain", { slots: 1 })];
    expect(placed({ scaling: { min: 2, max: 2 } }, { nodes })).toEqual(["assign to plain", "assign to gpus"]);
  });
});
