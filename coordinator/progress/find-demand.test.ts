import fc from "fast-check";
import { expect, test } from "vitest";
import type { Deployment } from "../domain/deployment.ts";
import { deleted } from "../domain/service.ts";
import {
  aDeployment,
  aGpu,
  aNode,
  anAssignment,
  aReadyService,
  aShell,
  aShellAssignment,
  aTask,
  aWorkload,
} from "../domain/testing/records.ts";
import { type DemandRecords, findDemand } from "./find-demand.ts";
import { taskQueues } from "./task-queues.ts";

const NOTHING: DemandRecords = {
  services: [],
  shells: [],
  nodes: [],
  assignments: [],
  deploymentOf: () => undefined,
  workloadOf: () => undefined,
  queues: new Map(),
  meanRunMsOf: () => null,
};

const ON_GPU = { resources: { gpuCount: 1, gpuModel: "H100" }, scaling: { max: 10 } };
const NODE_WITH_GPU = aNode("gpu-1", { gpus: [aGpu("g1")], slots: 1 });

function byId(deployment: Deployment) {
  return (id: string) => (id === deployment.id ? deployment : undefined);
}

/** A service with so many queued tasks. */
function waiting(count: number, given: Parameters<typeof aReadyService>[0] = ON_GPU) {
  const { service, deployment } = aReadyService(given);
  const tasks = Array.from({ length: count }, (_, at) => aTask(service, { createdAt: 1_000 * (at + 1) }));
  return { services: [service], deploymentOf: byId(deployment), queues: taskQueues(tasks), service, deployment };
}

test("counts what no machine has room for, with the reason of the outlook and since when it waits", () => {
  const { service, deployment: _, ...records } = waiting(3);
  expect(findDemand({ ...NOTHING, ...records }, 5_000)).toMatchObject([
    {
      workloads: 3,
      tasks: 3,
      oldestSince: 1_000,
      reason: "no_such_machine",
      message: "the fleet has no machine for it",
    },
  ]);
  expect(findDemand({ ...NOTHING, ...records, nodes: [aNode("plain")] }, 5_000)).toMatchObject([
    { reason: "no_such_gpu", message: expect.stringContaining("it has no GPUs") },
  ]);
  expect(findDemand({ ...NOTHING, ...records, services: [deleted(service, 1)] }, 5_000)).toEqual([]);
});

test("counts nothing that fits on a machine, and the rest once that is taken", () => {
  const { deployment, service, ...records } = waiting(3);
  const free = { ...NOTHING, ...records, nodes: [NODE_WITH_GPU] };
  expect(findDemand(free, 5_000)).toEqual([]);
  const taken = anAssignment(deployment, "gpu-1", { gpuUuids: ["g1"] });
  const full = { ...free, assignments: [taken] };
  expect(findDemand(full, 5_000)).toMatchObject([{ workloads: 2, reason: "no_room" }]);
  // What failed has returned its GPU, and counts as nothing that serves.
  const failed = { ...full, workloadOf: () => aWorkload(taken, { phase: "failed" }) };
  expect(findDemand(failed, 5_000)).toEqual([]);
  const lost = { ...full, nodes: [{ ...NODE_WITH_GPU, state: "lost" as const }] };
  expect(findDemand(lost, 5_000)).toMatchObject([{ workloads: 3, reason: "no_room" }]);
  const unmet = { ...deployment, scaling: { ...deployment.scaling, min: 2, max: 2 } };
  expect(findDemand({ ...NOTHING, services: [service], deploymentOf: byId(unmet) }, 5_000)).toMatchObject([
    { workloads: 2, tasks: 0, oldestSince: null },
  ]);
});

test("counts as many as tasks of known duration need, and not one for each task", () => {
  const { deployment: _, service: __, ...records } = waiting(6);
  const demand = findDemand({ ...NOTHING, ...records, meanRunMsOf: () => 5_000 }, 1_000);
  // Two thirds of the target of 10 s are for waiting.
  expect(demand).toMatchObject([{ workloads: 2, tasks: 6 }]);
});

test("groups workloads that require the same of a machine, over services", () => {
  const [one, two, other] = [
    waiting(1),
    waiting(2),
    waiting(1, { ...ON_GPU, resources: { ...ON_GPU.resources, nodeLabels: { zone: "a" } } }),
  ];
  const all = [one, two, other];
  const ids = ["1", "2", "3"];
  const records = {
    ...NOTHING,
    services: all.map(({ service }, at) => ({ ...service, id: ids[at] ?? "", currentDeploymentId: ids[at] ?? "" })),
    deploymentOf: (id: string) => {
      const at = ids.indexOf(id);
      const found = all[at]?.deployment;
      return found === undefined ? undefined : { ...found, id, serviceId: id };
    },
    queues: new Map(
      ids.flatMap((id, at) => [...(all[at]?.queues.values() ?? [])].map((queue) => [id, queue] as const)),
    ),
  };
  expect(findDemand(records, 9_000).map(({ workloads }) => workloads)).toEqual([3, 1]);
});

test("counts a shell without a home that no machine with shells has room for, and none that has a place or a home", () => {
  const shell = aShell({ resources: { ...aDeployment({ serviceId: "s", ...ON_GPU }).resources } });
  const full = {
    ...NOTHING,
    shells: [shell],
    nodes: [{ ...NODE_WITH_GPU, inventory: { ...NODE_WITH_GPU.inventory, shells: false } }],
  };
  expect(findDemand(full, 5_000)).toMatchObject([{ workloads: 1, shells: true, oldestSince: 0 }]);
  expect(findDemand({ ...full, shells: [{ ...shell, nodeId: "gpu-9" }] }, 5_000)).toEqual([]);
  expect(findDemand({ ...full, assignments: [aShellAssignment(shell, "gpu-1")] }, 5_000)).toEqual([]);
});

test("never counts more than a deployment's maximum less what is there", () => {
  const counts = fc.record({ queued: fc.nat(50), max: fc.integer({ min: 1, max: 20 }), up: fc.nat(5) });
  fc.assert(
    fc.property(counts, ({ queued, max, up }) => {
      const { deployment, service: _, ...records } = waiting(queued, { ...ON_GPU, scaling: { max } });
      const nodes = Array.from({ length: up }, (_, at) => aNode(`n${at}`, { gpus: [aGpu(`g${at}`)], slots: 1 }));
      const assignments = nodes.map(({ id }, at) =>
        anAssignment(deployment, id, { id: id.padStart(32, "0"), gpuUuids: [`g${at}`] }),
      );
      const lacking = findDemand({ ...NOTHING, ...records, nodes, assignments }, 1_000).reduce(
        (n, d) => n + d.workloads,
        0,
      );
      expect(lacking).toBe(Math.max(0, Math.min(max, queued) - up));
    }),
  );
});
