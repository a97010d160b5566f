import { afterAll, expect, test } from "vitest";
import type { FakeMachine } from "../../agent/gpus/testing/fake-driver.ts";
import { removeTemporaryFolders } from "../../agent/testing/temporary-folder.ts";
import type { Agent } from "../cluster/agent.ts";
import { startCluster } from "../cluster/cluster.ts";
import { gpuMachine, gpusOfProvers } from "../cluster/gpu-machine.ts";

afterAll(removeTemporaryFolders);

const GIB = 1024 ** 3;
const WHOLE: FakeMachine = { gpus: [{ uuid: "GPU-a0" }, { uuid: "GPU-a1" }] };
const CUT: FakeMachine = {
  gpus: [
    {
      uuid: "GPU-b",
      instances: [
        { uuid: "MIG-small-1", profile: "1g.18gb", gpu: 7, totalBytes: 18 * GIB },
        { uuid: "MIG-small-2", profile: "1g.18gb", gpu: 8, totalBytes: 18 * GIB },
        { uuid: "MIG-large", profile: "3g.71gb", gpu: 2, totalBytes: 71 * GIB },
      ],
    },
  ],
};
const WAIT = { timeout: 90_000, interval: 100 };
const MEMORY = { memory_bytes: 256 * 1024 ** 2 };
/** Longer than until an error is noticed. */
const RUN = '{"ms":6000}';
const EVERY = ["nvidia-uvm", "nvidia0", "nvidiactl"];

test("machines with GPUs and with instances fill, lose one to an error and get it back, and nothing runs without", {
  timeout: 300_000,
}, async () => {
  await using cluster = await startCluster({ agents: 1 });
  const [cpuOnly] = cluster.agents;
  const [whole, cut] = [gpuMachine(WHOLE), gpuMachine(CUT)];
  const a = await cluster.addAgent(whole.settings, whole.inside);
  const b = await cluster.addAgent(cut.settings, cut.inside);
  const client = cluster.client();
  const image = "builtin:sleep";

  // The smallest that does: instances are taken before whole GPUs, and a whole GPU where its model is named.
  const pair = { scaling: { min: 2, max: 2 } };
  const requiring = (resources: object) => ({ image, resources: { ...MEMORY, ...resources } });
  const { service_id } = await client.readyService("big", { ...requiring({ gpu_model: "H200" }), ...pair });
  await client.readyService("small", { ...requiring({ gpu_mig_profile: "1g.18gb" }), ...pair });
  await client.readyService("medium", requiring({ gpu_memory_bytes: 60 * GIB }));
  await expect.poll(() => figures(a, "held"), WAIT).toEqual({ "GPU-a0": 1, "GPU-a1": 1 });
  const full = { "MIG-small-1": 1, "MIG-small-2": 1, "MIG-large": 1 };
  await expect.poll(() => figures(b, "held"), WAIT).toEqual(full);
  // Each prover sees its own and no other's; the instances are on one GPU, whose file they share.
  const provers = (agent: Agent | undefined) =>
    gpusOfProvers(agent?.child().pid ?? 0).toSorted((x, y) => x.visible.localeCompare(y.visible));
  await expect
    .poll(() => provers(a), WAIT)
    .toEqual([
      { visible: "GPU-a0", devices: EVERY },
      { visible: "GPU-a1", devices: ["nvidia-uvm", "nvidia1", "nvidiactl"] },
    ]);
  const instances = ["MIG-large", "MIG-small-1", "MIG-small-2"];
  await expect.poll(() => provers(b), WAIT).toEqual(instances.map((visible) => ({ visible, devices: EVERY })));

  const tasks = [await client.postTask(service_id, RUN), await client.postTask(service_id, RUN)];
  const phases = async () => (await Promise.all(tasks.map(({ task_id }) => client.task(task_id)))).map((t) => t.phase);
  await expect.poll(phases, WAIT).toEqual(["running", "running"]);
  whole.driver.say({ ...WHOLE, xids: [{ uuid: "GPU-a0", code: 79 }] });
  await expect.poll(() => figures(a, "healthy"), WAIT).toEqual({ "GPU-a0": 0, "GPU-a1": 1 });
  const node = async () => (await client.call(`/v1/nodes/${a.nodeId}`)).text;
  await expect.poll(node, WAIT).toContain("the GPU fell off the bus (Xid 79)");

  // An error in one instance is none of the others'.
  cut.driver.say({ ...CUT, xids: [{ uuid: "GPU-b", gpuInstance: 7, code: 94 }] });
  await expect.poll(() => figures(b, "healthy"), WAIT).toEqual({ ...full, "MIG-small-1": 0 });

  // The task of the failed GPU is done by the other one: not by a processor, and not at the price of what is the prover's own.
  const ended = await Promise.all(tasks.map(({ task_id }) => client.ended(task_id)));
  expect(ended.map(({ state }) => state)).toEqual(["SUCCESS", "SUCCESS"]);
  // One was tried again, more than once where that began before the coordinator had learned of the GPU.
  expect(ended.map(({ attempt }) => attempt === 1).sort()).toEqual([false, true]);
  expect(await outcomes(a)).toMatchObject({ succeeded: 2, gpu_fault: expect.any(Number) });
  expect(await metric(a, "elastic_agent_gpu_xids_total")).toContain('xid="79"} 1');
  expect([provers(cpuOnly), await outcomes(cpuOnly)]).toEqual([[], {}]);

  // The self-test brings each back, and the service with it.
  await expect.poll(() => figures(a, "healthy"), WAIT).toEqual({ "GPU-a0": 1, "GPU-a1": 1 });
  await expect.poll(() => figures(a, "held"), WAIT).toEqual({ "GPU-a0": 1, "GPU-a1": 1 });
  expect(await node()).not.toContain("Xid 79");
  await expect.poll(() => figures(b, "healthy"), WAIT).toEqual(full);
});

async function metric(agent: Agent | undefined, name: string): Promise<string> {
  const text = await (await fetch(agent?.metricsUrl() ?? "")).text();
  return (text.match(new RegExp(`^${name}\\{.*$`, "gm")) ?? []).join("\n");
}

/** A figure of each GPU, by its UUID. */
async function figures(agent: Agent, name: string): Promise<Readonly<Record<string, number>>> {
  const lines = await metric(agent, `elastic_agent_gpu_${name}`);
  return Object.fromEntries([...lines.matchAll(/uuid="([^"]+)".* (\d+)$/gm)].map(([, uuid, n]) => [uuid, Number(n)]));
}

/** Of attempts that have ended there. */
async function outcomes(agent: Agent | undefined): Promise<Readonly<Record<string, number>>> {
  const lines = await metric(agent, "elastic_agent_attempts_total");
  return Object.fromEntries(
    [...lines.matchAll(/outcome="([^"]+)"\} ([1-9]\d*)$/gm)].map(([, of, n]) => [of, Number(n)]),
  );
}
