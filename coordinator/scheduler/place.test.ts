import { newId } from "@elastic/std/ids.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Assignment } from "../domain/assignment.ts";
import type { Deployment } from "../domain/deployment.ts";
import { slotsOf } from "../domain/deployment.ts";
import { deleted, deploy, type Service } from "../domain/service.ts";
import { claim } from "../domain/task.ts";
import {
  aDeployment,
  aGpu,
  aNewService,
  aNode,
  anAssignment,
  aReadyService,
  aTask,
  aWorkload,
} from "../domain/testing/records.ts";
import { isServing, type ServiceEntry } from "./entries.ts";
import { LOST_ASSIGNMENT_KEPT_MS, placeNext } from "./place.ts";
import type { SchedulerView } from "./scheduler-view.ts";
import { type Records, versioned, viewOf } from "./testing/view-of.ts";

function entryOf(view: SchedulerView, service: Pick<Service, "id">): ServiceEntry {
  const entry = view.services.get(service.id);
  if (entry === undefined) throw new Error("the service is not in the view");
  return entry;
}

/** Takes every step, as the loop would, and tells them as sentences. */
function place(view: SchedulerView, service: Pick<Service, "id">, nowMs = 0): string[] {
  const said: string[] = [];
  const entry = entryOf(view, service);
  for (let taken = 0; taken < 100; taken++) {
    const step = placeNext(view, entry, { now: nowMs, nowMs });
    if (step.kind === "rest") return step.hungry ? [...said, "hungry"] : said;
    if (step.kind === "assign") {
      const { nodeId, gpuUuids } = step.to;
      said.push(`assign to ${[nodeId, ...gpuUuids].join(" ")}`);
      view.plan(
        anAssignment(step.deployment, nodeId, { id: newId(9), slots: slotsOf(step.deployment), gpuUuids }),
        nowMs,
      );
    } else {
      said.push(`${step.kind} on ${step.assignment.node.id}`);
      if (step.kind === "retire") step.assignment.retiring = true;
      else step.assignment.removing = true;
    }
  }
  throw new Error("it does not come to rest");
}

/** A ready service with `up` workloads that are up on the nodes named. */
function serving(
  up: readonly string[],
  given: Partial<Parameters<typeof aReadyService>[0]> = {},
  records: Records = {},
) {
  const { service, deployment } = aReadyService(given);
  const assignments = up.map((nodeId) => anAssignment(deployment, nodeId, { id: newId(7) }));
  const nodes = [...new Set(up)].map((nodeId) => aNode(nodeId));
  const view = viewOf({
    nodes,
    ...records,
    services: [service],
    deployments: [deployment, ...(records.deployments ?? [])],
    assignments,
    workloads: assignments.map((assignment) => aWorkload(assignment)),
  });
  return { view, service, deployment, assignments };
}

function addTasks(view: SchedulerView, service: Pick<Service, "id">, count: number): void {
  for (let n = 0; n < count; n++) {
    const task = aTask(service, { id: newId(100 + n) });
    view.putTask(task.id, versioned(task), 0, 0);
  }
}

describe("how many", () => {
  test.each([
    { open: 0, min: 0, max: 5, concurrency: 1, wanted: 0 },
    { open: 0, min: 2, max: 5, concurrency: 1, wanted: 2 },
    { open: 3, min: 0, max: 5, concurrency: 1, wanted: 3 },
    { open: 3, min: 0, max: 5, concurrency: 2, wanted: 2 },
    { open: 100, min: 0, max: 5, concurrency: 1, wanted: 5 },
  ])("$open open tasks, $min to $max workloads of $concurrency: $wanted", ({ open, min, max, concurrency, wanted }) => {
    const { service, deployment } = aReadyService({ scaling: { min, max }, limits: { concurrency } });
    const view = viewOf({ services: [service], deployments: [deployment], nodes: [aNode("a", { slots: 8 })] });
    addTasks(view, service, open);
    expect(place(view, service)).toHaveLength(wanted);
  });

  test("an idle workload ends after its idle time, the longest idle first, down to what is wanted", () => {
    const { view, service, assignments } = serving(["a", "b", "c"], {
      scaling: { min: 1, max: 3, idleTimeoutMs: 5_000 },
    });
    const [first] = assignments;
    const entry = view.assignment(first?.id ?? "");
    if (entry !== undefined) entry.idleSinceMs = 3_000;
    expect(place(view, service, 4_999)).toEqual([]);
    expect(place(view, service, 5_000)).toEqual(["remove on b", "remove on c"]);
  });

  test("a workload that works does not end", () => {
    const { view, service, assignments } = serving(["a"], { scaling: { min: 0, max: 1, idleTimeoutMs: 10 } });
    const on = { nodeId: "a", sessionId: "s", assignmentId: assignments[0]?.id ?? "" };
    const task = claim(aTask(service), on, 0);
    view.putTask(task.id, versioned(task), 0, 0);
    expect(place(view, service, 100_000)).toEqual([]);
    view.putTask(task.id, undefined, 100_000, 100_000);
    expect(place(view, service, 100_000)).toEqual([]);
    expect(place(view, service, 100_010)).toEqual(["remove on a"]);
  });
});

describe("where", () => {
  function placed(given: Parameters<typeof aReadyService>[0], records: Records): string[] {
    const { service, deployment } = aReadyService({ scaling: { min: 1 }, ...given });
    return place(viewOf({ ...records, services: [service], deployments: [deployment] }), service);
  }
  const image = `registry.local/prover@sha256:${"0".repeat(64)}`;
  const engine = { name: "docker", version: "20" };
  const h100 = (uuid: string) => aGpu(uuid);
  const l4 = (uuid: string) => aGpu(uuid, { model: "NVIDIA L4", memoryBytes: 24 * 2 ** 30 });

  test("an image only where there is an engine", () => {
    const nodes = [aNode("a"), aNode("with-engine", { engine })];
    expect(placed({ image }, { nodes })).toEqual(["assign to with-engine"]);
    expect(placed({ image }, { nodes: [aNode("a")] })).toEqual(["hungry"]);
  });

  test("a builtin prover only where the node has it", () => {
    const nodes = [aNode("a", { engine, builtinProvers: [] }), aNode("b", { builtinProvers: ["echo"] })];
    expect(placed({ image: "builtin:echo" }, { nodes })).toEqual(["assign to b"]);
    expect(placed({ image: "builtin:poseidon" }, { nodes })).toEqual(["hungry"]);
  });

  test("a verifier has needs of its own: as much memory again, and what it runs on", () => {
    const verified = { verifierImage: "builtin:echo", resources: { memoryBytes: 2 ** 33 } };
    expect(placed(verified, { nodes: [aNode("a", { memoryBytes: 2 ** 34 - 1 })] })).toEqual(["hungry"]);
    expect(placed(verified, { nodes: [aNode("a", { memoryBytes: 2 ** 34 })] })).toEqual(["assign to a"]);
    expect(placed({ verifierImage: image }, { nodes: [aNode("a")] })).toEqual(["hungry"]);
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
    expect(placed({}, { nodes: [aNode("a", { node: { state } })] })).toEqual(["hungry"]);
  });

  test("nothing to a node without a link", () => {
    expect(placed({}, { nodes: [aNode("a")], unlinked: ["a"] })).toEqual(["hungry"]);
  });

  test("nothing where slots, memory or cores are missing", () => {
    expect(placed({ resources: { cpuMillis: 4_001 } }, { nodes: [aNode("a", { cpuCores: 4 })] })).toEqual(["hungry"]);
    expect(placed({}, { nodes: [aNode("a", { slots: 0 })] })).toEqual(["hungry"]);
    expect(placed({ resources: { memoryBytes: 2 ** 35 } }, { nodes: [aNode("a")] })).toEqual(["hungry"]);
  });

  test("a GPU of the model asked for, by the words of its name", () => {
    const nodes = [aNode("cheap", { gpus: [l4("L4-1")] }), aNode("dear", { gpus: [h100("H-1")] })];
    expect(placed({ resources: { gpuCount: 1, gpuModel: "h100" } }, { nodes })).toEqual(["assign to dear H-1"]);
    expect(placed({ resources: { gpuCount: 1, gpuModel: "H10" } }, { nodes })).toEqual(["hungry"]);
  });

  test("the smallest GPU that has the memory", () => {
    const nodes = [aNode("dear", { gpus: [h100("H-1")] }), aNode("cheap", { gpus: [l4("L4-1")] })];
    expect(placed({ resources: { gpuCount: 1, gpuMemoryBytes: 2 ** 34 } }, { nodes })).toEqual([
      "assign to cheap L4-1",
    ]);
    expect(placed({ resources: { gpuCount: 1, gpuMemoryBytes: 2 ** 36 } }, { nodes })).toEqual(["assign to dear H-1"]);
  });

  test("where the fewest GPUs are left over, so that large blocks stay whole", () => {
    const nodes = [aNode("big", { gpus: [h100("1"), h100("2"), h100("3")] }), aNode("small", { gpus: [h100("4")] })];
    expect(placed({ resources: { gpuCount: 1 } }, { nodes })).toEqual(["assign to small 4"]);
    expect(placed({ resources: { gpuCount: 2 } }, { nodes })).toEqual(["assign to big 1 2"]);
  });

  test("nothing on a GPU in quarantine, and nothing in its slot", () => {
    const ill = { unhealthyReason: "the GPU fell off the bus (Xid 79)" };
    const nodes = [aNode("a", { gpus: [aGpu("1", ill), h100("2")], slots: 2 })];
    expect(placed({ resources: { gpuCount: 1 }, scaling: { min: 2, max: 2 } }, { nodes })).toEqual([
      "assign to a 2",
      "hungry",
    ]);
    expect(placed({}, { nodes: [aNode("a", { gpus: [aGpu("1", ill)], slots: 1 })] })).toEqual(["hungry"]);
  });

  test("a prover without GPU leaves nodes with GPUs alone while it can", () => {
    const nodes = [aNode("gpus", { gpus: [h100("1")], slots: 8 }), aNode("plain", { slots: 1 })];
    expect(placed({ scaling: { min: 2, max: 2 } }, { nodes })).toEqual(["assign to plain", "assign to gpus"]);
  });

  test("over several nodes, so that one lost node does not take the whole service", () => {
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

test("no node ever gets more than its slots, no GPU is given twice, and nothing lands where it cannot run", () => {
  const node = fc.record({
    slots: fc.nat({ max: 6 }),
    gpus: fc.nat({ max: 4 }),
    state: fc.constantFrom("ready", "ready", "ready", "draining", "lost"),
    linked: fc.boolean(),
  });
  const wish = fc.record({ gpuCount: fc.nat({ max: 3 }), min: fc.nat({ max: 5 }) });
  fc.assert(
    fc.property(fc.array(node, { maxLength: 5 }), fc.array(wish, { maxLength: 5 }), (given, wishes) => {
      const nodes = given.map(({ slots, gpus, state }, n) =>
        aNode(`node-${n}`, {
          slots,
          gpus: Array.from({ length: gpus }, (_, gpu) => aGpu(`${n}-${gpu}`)),
          node: { state: state as "ready" },
        }),
      );
      const pairs = wishes.map(({ gpuCount, min }, n) => {
        const bare = { ...aNewService(), id: newId(1_000 + n) };
        const deployment = aDeployment({
          id: newId(2_000 + n),
          serviceId: bare.id,
          resources: { gpuCount },
          scaling: { min, max: 5 },
        });
        return { service: deploy(bare, deployment.id), deployment };
      });
      const unlinked = given.flatMap(({ linked }, n) => (linked ? [] : [`node-${n}`]));
      const view = viewOf({
        nodes,
        unlinked,
        services: pairs.map(({ service }) => service),
        deployments: pairs.map(({ deployment }) => deployment),
      });
      for (const { service } of pairs) place(view, service);
      for (const [n, entry] of [...view.nodes.values()].entries()) {
        const held: Assignment[] = [...entry.assignments].map(({ value }) => value);
        const uuids = held.flatMap(({ gpuUuids }) => gpuUuids);
        expect(held.reduce((total, { slots }) => total + slots, 0)).toBeLessThanOrEqual(given[n]?.slots ?? 0);
        expect(new Set(uuids).size).toBe(uuids.length);
        if (held.length > 0) expect(given[n]).toMatchObject({ state: "ready", linked: true });
      }
    }),
  );
});

describe("what ends", () => {
  test("everything of a service that was deleted", () => {
    const { view, service } = serving(["a", "b"], { scaling: { min: 2, max: 2 } });
    view.putService(service.id, versioned(deleted(service, 1)), 0);
    expect(place(view, service)).toEqual(["remove on a", "remove on b"]);
  });

  test("the workloads of a deployment that was replaced, once nothing runs on them", () => {
    const { view, service, assignments } = serving(["a"], { scaling: { min: 1 } });
    const on = { nodeId: "a", sessionId: "s", assignmentId: assignments[0]?.id ?? "" };
    const task = claim(aTask(service), on, 0);
    view.putTask(task.id, versioned(task), 0, 0);
    const newer = aDeployment({ id: newId(8), serviceId: service.id });
    view.putDeployment(newer.id, versioned(newer));
    view.putService(service.id, versioned({ ...service, currentDeploymentId: newer.id }), 0);
    expect(place(view, service)).not.toContain("remove on a");
    view.putTask(task.id, undefined, 0, 0);
    expect(place(view, service)).toContain("remove on a");
  });

  test("what has a GPU that fell ill, once nothing runs there, and it goes on elsewhere", () => {
    const { service, deployment } = aReadyService({ resources: { gpuCount: 1 }, scaling: { min: 1 } });
    const assignment = anAssignment(deployment, "a", { gpuUuids: ["1"] });
    const workloads = [aWorkload(assignment)];
    const nodes = [aNode("a", { gpus: [aGpu("1"), aGpu("2")], slots: 2 })];
    const view = viewOf({
      nodes,
      services: [service],
      deployments: [deployment],
      assignments: [assignment],
      workloads,
    });
    expect(place(view, service)).toEqual([]);
    const entry = view.assignment(assignment.id);
    expect(entry !== undefined && isServing(entry)).toBe(true);
    const ill = aGpu("1", { unhealthyReason: "the GPU fell off the bus (Xid 79)" });
    view.putNode("a", versioned(aNode("a", { gpus: [ill, aGpu("2")], slots: 2 })));
    expect(entry !== undefined && isServing(entry)).toBe(false);
    expect(place(view, service)).toEqual(["remove on a", "assign to a 2"]);
  });

  test("what a draining node has, once nothing runs there", () => {
    const { view, service } = serving(
      ["a"],
      { scaling: { min: 1 } },
      { nodes: [aNode("a"), aNode("b", { slots: 0 })] },
    );
    view.putNode("a", versioned(aNode("a", { node: { state: "draining" } })));
    expect(place(view, service)).toEqual(["remove on a", "hungry"]);
  });

  test("what a lost node had, but only when it stays away", () => {
    const { view, service } = serving(["a"], { scaling: { min: 1 } });
    view.putNode("a", versioned(aNode("a", { node: { state: "lost", since: 0 } })));
    expect(place(view, service, LOST_ASSIGNMENT_KEPT_MS)).toEqual(["hungry"]);
    expect(place(view, service, LOST_ASSIGNMENT_KEPT_MS + 1)).toEqual(["remove on a", "hungry"]);
  });
});

describe("what failed to start", () => {
  const failure = { step: "starting", reason: "gpu_fault", message: "m", exitCode: null, logTail: "" } as const;

  function failedOnce() {
    const made = serving(
      ["a"],
      { scaling: { min: 1 } },
      { nodes: [aNode("a", { slots: 9 }), aNode("b", { slots: 1 })] },
    );
    const assignment = made.assignments[0] as Assignment;
    view(made).putWorkload(assignment.id, versioned(aWorkload(assignment, { phase: "starting" })), 0);
    view(made).putWorkload(assignment.id, versioned(aWorkload(assignment, { phase: "failed", failure })), 0);
    return made;
  }
  const view = (made: { view: SchedulerView }) => made.view;

  test("is tried again after a while, on another node first", () => {
    const made = failedOnce();
    expect(place(made.view, made.service, 499)).toEqual([]);
    expect(place(made.view, made.service, 500)).toEqual(["remove on a", "assign to b"]);
  });

  test("waits twice as long after each failure, up to a minute", () => {
    const made = failedOnce();
    const assignment = made.assignments[0] as Assignment;
    const waits: number[] = [];
    for (let n = 0; n < 9; n++) {
      waits.push(made.view.failuresOf(made.deployment.id)?.retryAtMs ?? 0);
      made.view.putWorkload(assignment.id, versioned(aWorkload(assignment, { phase: "starting" })), 0);
      made.view.putWorkload(assignment.id, versioned(aWorkload(assignment, { phase: "failed", failure })), 0);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  test("after it had served is started again at once", () => {
    const made = serving(["a"], { scaling: { min: 1 } });
    const assignment = made.assignments[0] as Assignment;
    const task = claim(aTask(made.service), { nodeId: "a", sessionId: "s", assignmentId: assignment.id }, 0);
    made.view.putTask(task.id, versioned(task), 0, 0);
    made.view.putTask(task.id, undefined, 1, 1);
    made.view.putWorkload(assignment.id, versioned(aWorkload(assignment, { phase: "failed", failure })), 1);
    expect(place(made.view, made.service, 1)).toEqual(["remove on a", "assign to a"]);
  });

  test("without a word from its agent is given up after the start budget and a minute", () => {
    const { view, service, assignments } = serving(["a"], { scaling: { min: 1 } });
    view.putWorkload(assignments[0]?.id ?? "", undefined, 0);
    expect(place(view, service, 120_000)).toEqual([]);
    const entry = entryOf(view, service);
    const step = placeNext(view, entry, { now: 0, nowMs: 120_001 });
    expect(step).toMatchObject({ kind: "give_up", failure: { reason: "start_timeout" } });
  });
});

describe("a roll-out", () => {
  function rollingOut(nodes: Parameters<typeof viewOf>[0]["nodes"]): {
    view: SchedulerView;
    service: Service;
    next: Deployment;
  } {
    const { view, service } = serving(["a"], { scaling: { min: 1 } }, { ...(nodes && { nodes }) });
    const next = aDeployment({ id: newId(8), serviceId: service.id, scaling: { min: 1, max: 4 } });
    view.putDeployment(next.id, versioned(next));
    view.putService(service.id, versioned(deploy(service, next.id)), 0);
    return { view, service, next };
  }

  test("gets its first workload beside the one that serves", () => {
    const { view, service } = rollingOut([aNode("a", { slots: 2 })]);
    expect(place(view, service)).toEqual(["assign to a"]);
  });

  test("takes the room of the deployment it replaces when there is no other, after its task", () => {
    const { view, service } = rollingOut([aNode("a", { slots: 1 })]);
    const entry = [...entryOf(view, service).assignments][0];
    expect(place(view, service)).toEqual(["retire on a", "remove on a", "hungry"]);
    view.putAssignment(entry?.id ?? "", undefined, 0);
    expect(place(view, service)).toEqual(["assign to a", "hungry"]);
  });
});

test("a service without any workload takes the room of another's idle one", () => {
  const { view } = serving(
    ["a"],
    { scaling: { min: 0, max: 1, idleTimeoutMs: 1e9 } },
    { nodes: [aNode("a", { slots: 1 })] },
  );
  const bare = { ...aNewService(), id: newId(50) };
  const deployment = aDeployment({ id: newId(51), serviceId: bare.id, scaling: { min: 1, max: 1 } });
  view.putDeployment(deployment.id, versioned(deployment));
  view.putService(bare.id, versioned(deploy(bare, deployment.id)), 0);
  expect(place(view, bare)).toEqual(["remove on a", "hungry"]);
});
