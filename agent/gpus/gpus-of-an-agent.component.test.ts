/** A complete agent with a scripted driver: what its coordinator, its operator and a scrape see of its GPUs. */
import { join } from "node:path";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { Agent } from "../start/start-agent.ts";
import { makeTestCa } from "../testing/certificates.ts";
import { assignmentOf } from "../testing/orders.ts";
import { type ScriptedCoordinator, scriptCoordinator } from "../testing/scripted-coordinator.ts";
import { startTestAgent, testConfig } from "../testing/start-test-agent.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { type FakeDriver, type FakeMachine, fakeDriver, GIB } from "./testing/fake-driver.ts";

afterAll(removeTemporaryFolders);

const instances = [{ uuid: "MIG-1", profile: "1g.18gb", gpu: 7, totalBytes: 18 * GIB }];
const MACHINE: FakeMachine = {
  gpus: [
    { uuid: "GPU-1", celsius: 61 },
    { uuid: "GPU-2", instances },
  ],
};

async function start(): Promise<{
  readonly driver: FakeDriver;
  readonly coordinator: ScriptedCoordinator;
  readonly agent: Agent;
}> {
  const driver = fakeDriver(MACHINE);
  const ca = makeTestCa(join(temporaryFolder(), "ca"));
  const coordinator = await scriptCoordinator(ca.server());
  const more = { ffiLibrary: null, nvmlLibrary: driver.library };
  const agent = await startTestAgent(testConfig(ca.node("n1"), [coordinator.address], more));
  onTestFinished(async () => {
    await agent.stop();
    coordinator.kill();
  });
  return { driver, coordinator, agent };
}

const scrape = async (agent: Agent) => (await fetch(`http://${agent.metrics}/metrics`)).text();

test("the hello lists GPUs and instances, with a slot for each", async () => {
  const { coordinator } = await start();
  const { inventory } = await coordinator.linked();
  expect(inventory?.slots).toBe(2);
  const common = { driverVersion: "570.1", computeCapability: "9.0", model: "NVIDIA H200", unhealthyReason: "" };
  expect(inventory?.gpus).toEqual([
    {
      ...common,
      ...{ uuid: "GPU-1", memoryBytes: BigInt(140 * GIB), migProfile: "" },
      ...{ pciId: "00000000:01:00.0", parentUuid: "" },
    },
    {
      ...common,
      ...{ uuid: "MIG-1", memoryBytes: BigInt(18 * GIB), migProfile: "1g.18gb" },
      ...{ pciId: "00000000:02:00.0", parentUuid: "GPU-2" },
    },
  ]);
});

test("a critical Xid is reported, measured, and its GPU starts nothing", async () => {
  const { driver, coordinator, agent } = await start();
  await coordinator.linked();
  expect(await scrape(agent)).toContain('elastic_agent_gpu_temperature_celsius{uuid="GPU-1",model="NVIDIA H200"} 61');
  await expect.poll(() => coordinator.gpuReadings[0]).toMatchObject({ uuid: "GPU-1", temperatureCelsius: 61 });
  driver.say({ ...MACHINE, xids: [{ uuid: "GPU-1", code: 79 }] });
  const healthy = 'elastic_agent_gpu_healthy{uuid="GPU-1",model="NVIDIA H200"}';
  await expect.poll(() => scrape(agent)).toContain(`${healthy} 0`);
  const reasons = () => coordinator.nodes.at(-1)?.gpus.map(({ unhealthyReason }) => unhealthyReason);
  await expect.poll(reasons).toEqual(["the GPU fell off the bus (Xid 79)", ""]);
  expect(await scrape(agent)).toContain('elastic_agent_gpu_xids_total{uuid="GPU-1",model="NVIDIA H200",xid="79"} 1');
  coordinator.assign([assignmentOf("builtin:echo", { assignmentId: "a1", gpuUuids: ["GPU-1"] })]);
  const { failure } = await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_FAILED);
  expect(failure).toMatchObject({ reason: "gpu_fault", message: expect.stringContaining("Xid 79") });
});

test("reports a GPU that appears later with another hello", async () => {
  const { driver, coordinator } = await start();
  await coordinator.linked();
  driver.say({ gpus: [...MACHINE.gpus, { uuid: "GPU-3" }] });
  const listed = () => coordinator.hellos.at(-1)?.inventory?.gpus.map(({ uuid }) => uuid);
  await expect.poll(listed, { timeout: 10_000 }).toEqual(["GPU-1", "MIG-1", "GPU-3"]);
});
