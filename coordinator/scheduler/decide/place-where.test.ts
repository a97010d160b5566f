import { newId } from "@elastic/std/ids.ts";
import { describe, expect, test } from "vitest";
import { aNode, aReadyService } from "../../domain/testing/records.ts";
import { place, placed, serving } from "../testing/place-steps.ts";
import { viewOf } from "../testing/view-of.ts";

const image = `registry.local/prover@sha256:${"0".repeat(64)}`;
const engine = { name: "docker", version: "20" };

describe("where", () => {
  test("an image only where there is an engine", () => {
    const nodes = [aNode("a"), aNode("with-engine", { engine })];
    expect(placed({ image }, { nodes })).toEqual(["assign to with-engine"]);
    expect(placed({ image }, { nodes: [aNode("a")] })).toEqual(["unschedulable"]);
  });

  test("a builtin prover only where the node has it", () => {
    const nodes = [aNode("a", { engine, builtinProvers: [] }), aNode("b", { builtinProvers: ["echo"] })];
    expect(placed({ image: "builtin:echo" }, { nodes })).toEqual(["assign to b"]);
    expect(placed({ image: "builtin:poseidon" }, { nodes })).toEqual(["unschedulable"]);
  });

  test("a verifier has separate requirements: as much memory again, and what it runs on", () => {
    const verified = { verifierImage: "builtin:echo", resources: { memoryBytes: 2 ** 33 } };
    expect(placed(verified, { nodes: [aNode("a", { memoryBytes: 2 ** 34 - 1 })] })).toEqual(["unschedulable"]);
    expect(placed(verified, { nodes: [aNode("a", { memoryBytes: 2 ** 34 })] })).toEqual(["assign to a"]);
    expect(placed({ verifierImage: image }, { nodes: [aNode("a")] })).toEqual(["unschedulable"]);
    expect(placed({ verifierImage: image }, { nodes: [aNode("a", { engine })] })).toEqual(["assign to a"]);
  });

  test("a volume to the node that has it already", () => {
    const volume = { id: newId(9), manifestSha256: "f".repeat(64), manifestBytes: 1 };
    const given = { image, volume };
    const view = (warm: string) => {
      const records = { nodes: [aNode("a", { engine }), aNode("b", { engine })] };
      const { service, deployment } = aReadyService({ ...given, scaling: { min: 1, max: 1 } });
      const made = viewOf({ ...records, services: [service], deployments: [deployment] });
      made.nodes.get(warm)?.images.add(volume.manifestSha256);
      return place(made, service);
    };
    expect([view("a"), view("b")]).toEqual([["assign to a"], ["assign to b"]]);
  });

  test.each(["lost", "draining", "gone"] as const)("nothing to a node that is %s", (state) => {
    expect(placed({}, { nodes: [aNode("a", { node: { state } })] })).toEqual(["unschedulable"]);
  });

  test("nothing to a node without a link", () => {
    expect(placed({}, { nodes: [aNode("a")], unlinked: ["a"] })).toEqual(["unschedulable"]);
  });

  test("nothing where slots, memory or cores are missing", () => {
    expect(placed({ resources: { cpuMillis: 4_001 } }, { nodes: [aNode("a", { cpuCores: 4 })] })).toEqual([
      "unschedulable",
    ]);
    expect(placed({}, { nodes: [aNode("a", { slots: 0 })] })).toEqual(["unschedulable"]);
    expect(placed({ resources: { memoryBytes: 2 ** 35 } }, { nodes: [aNode("a")] })).toEqual(["unschedulable"]);
  });

  test("over several nodes, so that one lost node does not take all of the service", () => {
    const nodes = [aNode("a", { slots: 9 }), aNode("b", { slots: 4 })];
    const spread = placed({ scaling: { min: 4, max: 4 } }, { nodes });
    expect(spread.toSorted()).toEqual(["assign to a", "assign to a", "assign to b", "assign to b"]);
  });

  test("where the image came up before", () => {
    const { view, service } = serving(
      [],
      { scaling: { min: 1 } },
      { nodes: [aNode("cold"), aNode("warm", { slots: 3 })] },
    );
    view.nodes.get("warm")?.images.add("builtin:echo");
    expect(place(view, service)).toEqual(["assign to warm"]);
  });
});
