import { newId } from "@elastic/std/ids.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Resources } from "../../domain/deployment.ts";
import type { Node, NodeGpu } from "../../domain/node.ts";
import { aDeployment, aGpu, aNode, anAssignment, aShell, aShellAssignment } from "../../domain/testing/records.ts";
import { viewOf } from "../testing/view-of.ts";
import type { SchedulerView } from "../view/scheduler-view.ts";
import { chooseNode } from "./choose-node.ts";

const GB = 1e9;
const SERVICE = newId(1);

/** Two full GPUs, or one that is cut into three instances and another that is not. */
function machine(n: number, given: { cut: boolean; model: string; ill: number; state: Node["state"]; zone: string }) {
  const { cut, model, ill, state, zone } = given;
  const memoryBytes = (model === "NVIDIA L4" ? 24 : 80) * GB;
  const whole = (at: string) => aGpu(`${n}-${at}`, { model, memoryBytes });
  const instance = (at: number, gb: number) =>
    aGpu(`${n}-i${at}`, { model, memoryBytes: gb * GB, migProfile: `${gb / 10}g.${gb}gb`, parentUuid: `${n}-b` });
  const gpus = cut ? [whole("a"), instance(0, 10), instance(1, 10), instance(2, 40)] : [whole("a"), whole("b")];
  return aNode(`node-${n}`, {
    gpus: gpus.map((gpu, at) => ({ ...gpu, unhealthyReason: at === ill ? "Xid 79" : null })),
    slots: gpus.length,
    memoryBytes: 2 ** 40,
    labels: { zone },
    node: { state },
  });
}

interface Held {
  readonly node: string;
  readonly uuids: readonly string[];
}

/** What is free and does, found by trying every choice of GPUs on every node: the smallest of them, least stranded. */
function bestByForce(nodes: readonly Node[], held: readonly Held[], wish: Resources): readonly number[] | null {
  let best: readonly number[] | null = null;
  for (const { id, state, inventory } of nodes) {
    if (state !== "ready" || Object.entries(wish.nodeLabels ?? {}).some(([k, v]) => inventory.labels[k] !== v))
      continue;
    const taken = held.filter(({ node }) => node === id).flatMap(({ uuids }) => uuids);
    const free = inventory.gpus.filter((gpu) => gpu.unhealthyReason === null && !taken.includes(gpu.uuid));
    for (const chosen of choices(free, wish.gpuCount)) {
      if (!chosen.every((gpu) => does(gpu, wish))) continue;
      const rank = [Math.max(...chosen.map((gpu) => gpu.memoryBytes)), free.length - chosen.length];
      if (best === null || isLower(rank, best)) best = rank;
    }
  }
  return best;
}

function choices<T>(of: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  return of.flatMap((first, at) => choices(of.slice(at + 1), count - 1).map((rest) => [first, ...rest]));
}

function does(gpu: NodeGpu, { gpuCount, gpuModel, gpuMemoryBytes, gpuMigProfile }: Resources): boolean {
  if (gpu.memoryBytes < gpuMemoryBytes || !gpu.model.includes(gpuModel ?? "")) return false;
  if (gpuMigProfile) return gpuCount === 1 && gpu.migProfile === gpuMigProfile;
  return gpu.migProfile === "" || (gpuCount === 1 && (gpuModel === null || gpuMemoryBytes > 0));
}

function isLower(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

test("over 1,000 random placements on machines with two GPUs, full or cut: one tenant each, none unhealthy, drained or starved, and by best fit", () => {
  let placed = 0;
  let refused = 0;
  const fleet = fc.array(
    fc.record({
      cut: fc.boolean(),
      model: fc.constantFrom("NVIDIA H100", "NVIDIA L4"),
      ill: fc.integer({ min: 0, max: 7 }),
      state: fc.constantFrom("ready", "ready", "ready", "ready", "draining", "lost", "gone"),
      zone: fc.constantFrom("a", "b"),
    }),
    { minLength: 2, maxLength: 5 },
  );
  const step = fc.record({
    gpuCount: fc.constantFrom(1, 1, 1, 2),
    gpuModel: fc.constantFrom(null, null, "H100", "L4"),
    gpuMemoryBytes: fc.constantFrom(0, 0, 15 * GB, 30 * GB),
    gpuMigProfile: fc.constantFrom(null, null, null, "1g.10gb", "4g.40gb"),
    nodeLabels: fc.constantFrom({}, {}, { zone: "a" }),
    isShell: fc.boolean(),
    /** How many of the oldest leave first. */
    leaves: fc.nat({ max: 1 }),
  });
  fc.assert(
    fc.property(fleet, fc.array(step, { minLength: 12, maxLength: 24 }), (machines, steps) => {
      const nodes = machines.map((given, n) => machine(n, given as Parameters<typeof machine>[1]));
      const view = viewOf({ nodes });
      const held: (Held & { readonly leave: () => void })[] = [];
      for (const { isShell, leaves, ...wish } of steps) {
        for (const oldest of held.splice(0, leaves)) oldest.leave();
        const deployment = aDeployment({ id: newId(2), serviceId: SERVICE, resources: wish });
        const best = bestByForce(nodes, held, deployment.resources);
        const choice = chooseNode(deployment, view, new Set());
        if (choice === null || best === null) {
          expect(choice).toBe(best);
          refused++;
          continue;
        }
        placed++;
        const { nodeId: node, gpuUuids: uuids } = choice;
        const chosen = nodes.find(({ id }) => id === node)?.inventory.gpus.filter((gpu) => uuids.includes(gpu.uuid));
        expect(Math.max(...(chosen ?? []).map((gpu) => gpu.memoryBytes))).toBe(best[0]);
        expect(held.flatMap((other) => other.uuids).filter((uuid) => uuids.includes(uuid))).toEqual([]);
        held.push({ node, uuids, leave: hold(view, { isShell, deployment, node, uuids }) });
      }
    }),
    { numRuns: 250 },
  );
  expect(placed).toBeGreaterThan(1_000);
  expect(refused).toBeGreaterThan(50);
});

interface Holding {
  readonly isShell: boolean;
  readonly deployment: ReturnType<typeof aDeployment>;
  readonly node: string;
  readonly uuids: readonly string[];
}

/** Returns how it is released. */
function hold(view: SchedulerView, { isShell, deployment, node, uuids }: Holding): () => void {
  const given = { id: newId(3), slots: uuids.length, gpuUuids: uuids };
  if (!isShell) {
    const entry = view.assignments.plan(anAssignment(deployment, node, given), 0);
    return () => view.assignments.unplan(entry, 0);
  }
  const entry = view.nodes.get(node);
  if (entry === undefined) throw new Error(`node ${node} is not in the view`);
  const place = view.shells.plan(aShellAssignment(aShell({ id: newId(4) }), node, given), entry);
  return () => view.shells.unplan(place);
}

const fullGpu = (uuid: string) => aGpu(uuid);
const instanceOf = (parentUuid: string, uuid: string) =>
  aGpu(uuid, { parentUuid, migProfile: "1g.10gb", memoryBytes: 10 * GB });

test("a GPU that is cut is not assigned as a full one, and one that was cut or joined under its tenant gets no second one", () => {
  const deployment = aDeployment({ serviceId: SERVICE, resources: { gpuCount: 1 } });
  const gpusFor = (gpus: readonly NodeGpu[], held: readonly string[]) => {
    const assignments = [anAssignment(deployment, "a", { gpuUuids: held })];
    const view = viewOf({ nodes: [aNode("a", { gpus, slots: 4 })], assignments: held.length === 0 ? [] : assignments });
    return chooseNode(aDeployment({ id: newId(9), serviceId: SERVICE, resources: { gpuCount: 1 } }), view, new Set());
  };
  expect(gpusFor([fullGpu("P"), instanceOf("P", "i")], [])?.gpuUuids).toEqual(["i"]);
  expect(gpusFor([fullGpu("P"), instanceOf("P", "i")], ["i"])).toBeNull();
  expect(gpusFor([instanceOf("P", "i"), instanceOf("P", "j")], ["P"])).toBeNull();
  expect(gpusFor([instanceOf("P", "i"), instanceOf("P", "j")], ["i"])?.gpuUuids).toEqual(["j"]);
});

test("the second copy goes to a second node, and the third to where the image is", () => {
  const nodes = ["a", "b", "c"].map((id) => aNode(id));
  const deployment = aDeployment({ serviceId: SERVICE });
  const view = viewOf({ nodes });
  view.nodes.get("a")?.images.add("builtin:echo");
  const chosen = ["1", "2", "3"].map((id) => {
    const choice = chooseNode(deployment, view, new Set());
    view.assignments.plan(anAssignment(deployment, choice?.nodeId ?? "", { id }), 0);
    return choice?.nodeId;
  });
  expect(chosen).toEqual(["a", "b", "a"]);
});

test("only machines that have all requested labels, with those values", () => {
  const nodes = [
    aNode("none"),
    aNode("other", { labels: { zone: "b" } }),
    aNode("right", { labels: { zone: "a", x: "" } }),
  ];
  const where = (nodeLabels: Record<string, string>) =>
    chooseNode(aDeployment({ serviceId: SERVICE, resources: { nodeLabels } }), viewOf({ nodes }), new Set())?.nodeId;
  expect(where({ zone: "a" })).toBe("right");
  expect(where({ zone: "a", x: "" })).toBe("right");
  expect(where({ zone: "b", x: "" })).toBeUndefined();
  expect(where({ constructor: "x" })).toBeUndefined();
});

test("no machine whose disks are full", () => {
  const where = (nodes: readonly Node[]) =>
    chooseNode(aDeployment({ serviceId: SERVICE }), viewOf({ nodes: [...nodes] }), new Set())?.nodeId;
  const full = aNode("a", { diskPressure: "its disk is full" });
  expect(where([full, aNode("b")])).toBe("b");
  expect(where([full])).toBeUndefined();
});
