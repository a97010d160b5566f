/** Links to coordinators that go, come back, multiply, or do not know yet that they lead no longer. */
import { join } from "node:path";
import { Directive } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Agent } from "../start/start-agent.ts";
import { makeTestCa, type TestCa } from "../testing/certificates.ts";
import { eventually } from "../testing/eventually.ts";
import { assignmentOf, startOf } from "../testing/orders.ts";
import { resultText } from "../testing/outcomes.ts";
import {
  type CoordinatorScript,
  type ScriptedCoordinator,
  scriptCoordinator,
} from "../testing/scripted-coordinator.ts";
import { startTestAgent, testConfig } from "../testing/start-test-agent.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";

afterAll(removeTemporaryFolders);

let ca: TestCa;
const ends: (() => void | Promise<void>)[] = [];

beforeAll(() => {
  ca = makeTestCa(join(temporaryFolder(), "ca"));
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function coordinatorOf(script: CoordinatorScript = {}): Promise<ScriptedCoordinator> {
  const coordinator = await scriptCoordinator(ca.server(), script);
  ends.push(() => coordinator.kill());
  return coordinator;
}

async function agentOf(...addresses: readonly string[]): Promise<Agent> {
  const agent = await startTestAgent(testConfig(ca.node("n1"), addresses));
  ends.push(() => agent.stop());
  return agent;
}

async function sleeping(coordinator: ScriptedCoordinator, ms: number): Promise<ReturnType<typeof startOf>> {
  await coordinator.linked();
  coordinator.assign([assignmentOf("builtin:sleep")]);
  await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  const start = startOf(JSON.stringify({ ms }));
  coordinator.start([start]);
  await eventually(
    "the attempt to run",
    async () => (await metric(agentMetrics, "attempts_running")) === 1 || undefined,
  );
  return start;
}

let agentMetrics = "";

async function metric(address: string, name: string): Promise<number> {
  const text = await (await fetch(`http://${address}/metrics`)).text();
  return Number(new RegExp(`^elastic_agent_${name} (\\S+)$`, "m").exec(text)?.[1]);
}

test("a proof in flight survives its coordinator and is reported to the next at that address", async () => {
  const first = await coordinatorOf();
  agentMetrics = (await agentOf(first.address)).metrics;
  const start = await sleeping(first, 1_000);
  first.kill();
  const second = await coordinatorOf({ port: Number(first.address.split(":")[1]) });
  const hello = await second.linked();
  expect(hello.attempts).toEqual([start.attempt]);
  expect(hello.workloads).toMatchObject([
    { assignmentId: "a1", phase: WorkloadPhase.WORKLOAD_PHASE_READY, failure: undefined },
  ]);
  expect(resultText(await second.report(start.taskId))).toContain("slept_ms");
});

test("ends an attempt that a welcome cancels, and never reports it", async () => {
  const first = await coordinatorOf();
  agentMetrics = (await agentOf(first.address)).metrics;
  const start = await sleeping(first, 600_000);
  first.kill();
  const second = await coordinatorOf({
    port: Number(first.address.split(":")[1]),
    welcome: () => ({ directives: [{ attempt: start.attempt, directive: Directive.DIRECTIVE_CANCEL }] }),
  });
  await second.linked();
  const next = startOf('{"ms":1}');
  second.start([next]);
  await second.report(next.taskId);
  expect(second.reports.map((report) => report.attempt?.taskId)).toEqual([next.taskId]);
});

test("sends an outcome again until it is acknowledged", async () => {
  const coordinator = await coordinatorOf({ acknowledges: false });
  agentMetrics = (await agentOf(coordinator.address)).metrics;
  const start = await sleeping(coordinator, 1);
  await eventually("a second report", () => coordinator.reports.length >= 2 || undefined);
  coordinator.script = {};
  await eventually("nothing pending", async () => (await metric(agentMetrics, "outcomes_pending")) === 0 || undefined);
  expect(new Set(coordinator.reports.map((report) => report.attempt?.taskId))).toEqual(new Set([start.taskId]));
});

test("abandons work when no coordinator has acknowledged a heartbeat for the time of the welcome", async () => {
  const coordinator = await coordinatorOf({ welcome: () => ({ fenceAfterMs: 1_000 }) });
  agentMetrics = (await agentOf(coordinator.address)).metrics;
  await sleeping(coordinator, 600_000);
  coordinator.kill();
  await eventually("the fence", async () => (await metric(agentMetrics, "fences_total")) === 1 || undefined);
  expect(await metric(agentMetrics, "attempts_running")).toBe(0);
  const back = await coordinatorOf({ port: Number(coordinator.address.split(":")[1]) });
  expect((await back.linked()).attempts).toEqual([]);
});

test("leaves a coordinator that receives heartbeats and does not acknowledge them", async () => {
  const coordinator = await coordinatorOf({ acknowledgesHeartbeats: false });
  await agentOf(coordinator.address);
  await eventually("a second hello", () => coordinator.hellos.length >= 2 || undefined);
  expect(coordinator.hellos[0]?.sessionId).toBe(coordinator.hellos[1]?.sessionId);
});

test("what an older leader commands is ignored", async () => {
  const coordinator = await coordinatorOf();
  agentMetrics = (await agentOf(coordinator.address)).metrics;
  await coordinator.linked();
  coordinator.assign([assignmentOf("builtin:noop")], 5n);
  await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  const [old, current] = [startOf("{}"), startOf("{}")];
  coordinator.assign([], 4n);
  coordinator.start([old], 4n);
  coordinator.start([current], 5n);
  await coordinator.report(current.taskId);
  expect(coordinator.reports.map((report) => report.attempt?.taskId)).toEqual([current.taskId]);
  expect(coordinator.workloads.map((report) => report.phase)).not.toContain(WorkloadPhase.WORKLOAD_PHASE_STOPPED);
});

test("the agent links to every coordinator that a welcome lists, and reports to the one that commands", async () => {
  const standby = await coordinatorOf({ coordinatorId: "c2" });
  const leader = await coordinatorOf({ otherAddresses: [standby.address] });
  await agentOf(leader.address);
  await standby.linked();
  leader.assign([assignmentOf("builtin:noop")], 1n);
  await standby.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  const [first, second] = [startOf("{}"), startOf("{}")];
  leader.start([first], 1n);
  await leader.report(first.taskId);
  standby.start([second], 2n);
  await standby.report(second.taskId);
  expect(leader.reports.map((report) => report.attempt?.taskId)).toEqual([first.taskId]);
});

test("the agent links to a coordinator that came after its welcome, and lets go of one that is gone", async () => {
  const first = await coordinatorOf();
  agentMetrics = (await agentOf(first.address)).metrics;
  await first.linked();
  const late = await coordinatorOf({ coordinatorId: "c2" });
  first.script.newAddresses = [first.address, late.address];
  await late.linked();
  late.kill();
  first.script.newAddresses = [first.address];
  await expect.poll(() => metric(agentMetrics, "links_up")).toBe(1);
});

test("one coordinator under two addresses keeps one link", async () => {
  const coordinator = await coordinatorOf();
  const port = coordinator.address.split(":")[1];
  agentMetrics = (await agentOf(coordinator.address, `localhost:${port}`)).metrics;
  const start = await sleeping(coordinator, 700);
  await coordinator.report(start.taskId);
  expect(coordinator.hellos.length).toBeLessThanOrEqual(3);
  expect(await metric(agentMetrics, "links_up")).toBe(1);
});
