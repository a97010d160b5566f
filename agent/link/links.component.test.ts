/** Links to coordinators that go, come back, multiply, or do not know yet that they lead no longer. */
import { Directive } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { afterAll, afterEach, expect, test } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { assignmentOf, startOf } from "../testing/orders.ts";
import { resultText } from "../testing/outcomes.ts";
import type { ScriptedCoordinator } from "../testing/scripted-coordinator.ts";
import { removeTemporaryFolders } from "../testing/temporary-folder.ts";
import { TestFleet } from "../testing/test-fleet.ts";

const fleet = new TestFleet();
afterEach(() => fleet.end());
afterAll(removeTemporaryFolders);

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
  const first = await fleet.coordinator();
  agentMetrics = (await fleet.agent([first.address])).metrics;
  const start = await sleeping(first, 1_000);
  first.kill();
  const second = await fleet.coordinator({ port: Number(first.address.split(":")[1]) });
  const hello = await second.linked();
  expect(hello.attempts).toEqual([start.attempt]);
  expect(hello.workloads).toMatchObject([
    { assignmentId: "a1", phase: WorkloadPhase.WORKLOAD_PHASE_READY, failure: undefined },
  ]);
  expect(resultText(await second.report(start.taskId))).toContain("slept_ms");
});

test("ends an attempt that a welcome cancels, and never reports it", async () => {
  const first = await fleet.coordinator();
  agentMetrics = (await fleet.agent([first.address])).metrics;
  const start = await sleeping(first, 600_000);
  first.kill();
  const second = await fleet.coordinator({
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
  const coordinator = await fleet.coordinator({ acknowledges: false });
  agentMetrics = (await fleet.agent([coordinator.address])).metrics;
  const start = await sleeping(coordinator, 1);
  await eventually("a second report", () => coordinator.reports.length >= 2 || undefined);
  coordinator.script = {};
  await eventually("nothing pending", async () => (await metric(agentMetrics, "outcomes_pending")) === 0 || undefined);
  expect(new Set(coordinator.reports.map((report) => report.attempt?.taskId))).toEqual(new Set([start.taskId]));
});

test("names attempts that ended under an earlier store epoch to a coordinator that has a later one, once", async () => {
  const first = await fleet.coordinator();
  agentMetrics = (await fleet.agent([first.address])).metrics;
  const start = await sleeping(first, 1);
  await first.report(start.taskId);
  await eventually("nothing pending", async () => (await metric(agentMetrics, "outcomes_pending")) === 0 || undefined);
  const successor = async (storeEpoch: bigint) => {
    const next = await fleet.coordinator({
      port: Number(first.address.split(":")[1]),
      welcome: () => ({ storeEpoch }),
    });
    await next.linked();
    return next;
  };
  first.kill();
  // An older program, which sends no epoch, and the same epoch.
  for (const storeEpoch of [0n, 1n]) {
    const same = await successor(storeEpoch);
    same.assign([assignmentOf("builtin:sleep")]);
    await same.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
    expect(same.ended).toEqual([]);
    same.kill();
  }
  const restored = await successor(2n);
  await eventually("the ended attempt", () => restored.ended.length > 0 || undefined);
  expect(restored.ended).toEqual([start.attempt]);
  restored.kill();
  const later = await successor(2n);
  later.assign([assignmentOf("builtin:sleep")]);
  await later.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  expect(later.ended).toEqual([]);
});

test("abandons work when no coordinator has acknowledged a heartbeat for the time of the welcome", async () => {
  const coordinator = await fleet.coordinator({ welcome: () => ({ fenceAfterMs: 1_000 }) });
  agentMetrics = (await fleet.agent([coordinator.address])).metrics;
  await sleeping(coordinator, 600_000);
  coordinator.kill();
  await eventually("the fence", async () => (await metric(agentMetrics, "fences_total")) === 1 || undefined);
  expect(await metric(agentMetrics, "attempts_running")).toBe(0);
  const back = await fleet.coordinator({ port: Number(coordinator.address.split(":")[1]) });
  expect((await back.linked()).attempts).toEqual([]);
});

test("ends its sessions with the fence, so that nothing is begun of what still arrives on them", async () => {
  const welcome = () => ({ fenceAfterMs: 1_000, heartbeatIntervalMs: 3_600_000 });
  const coordinator = await fleet.coordinator({ welcome });
  await fleet.agent([coordinator.address]);
  await coordinator.linked();
  await eventually("a second hello", () => coordinator.hellos.length >= 2 || undefined);
});

test("leaves a coordinator that receives heartbeats and does not acknowledge them", async () => {
  const coordinator = await fleet.coordinator({ acknowledgesHeartbeats: false });
  await fleet.agent([coordinator.address]);
  await eventually("a second hello", () => coordinator.hellos.length >= 2 || undefined);
  expect(coordinator.hellos[0]?.sessionId).toBe(coordinator.hellos[1]?.sessionId);
});

test("what an older leader commands is ignored", async () => {
  const coordinator = await fleet.coordinator();
  agentMetrics = (await fleet.agent([coordinator.address])).metrics;
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

test("a workload whose assignment comes back as of a kind that the agent does not know runs on", async () => {
  const coordinator = await fleet.coordinator();
  await fleet.agent([coordinator.address]);
  await coordinator.linked();
  coordinator.assign([assignmentOf("builtin:noop")]);
  await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  coordinator.assign([
    { ...assignmentOf("builtin:noop"), workload: undefined },
    assignmentOf("builtin:noop", { assignmentId: "a2" }),
  ]);
  await coordinator.workload("a2", WorkloadPhase.WORKLOAD_PHASE_READY);
  const start = startOf("{}");
  coordinator.start([start]);
  expect((await coordinator.report(start.taskId)).outcome?.$case).toBe("succeeded");
});

test("the agent links to every coordinator that a welcome lists, and reports to the one that commands", async () => {
  const standby = await fleet.coordinator({ coordinatorId: "c2" });
  const leader = await fleet.coordinator({ otherAddresses: [standby.address] });
  await fleet.agent([leader.address]);
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
  const first = await fleet.coordinator();
  agentMetrics = (await fleet.agent([first.address])).metrics;
  await first.linked();
  const late = await fleet.coordinator({ coordinatorId: "c2" });
  first.script.newAddresses = [first.address, late.address];
  await late.linked();
  late.kill();
  first.script.newAddresses = [first.address];
  await expect.poll(() => metric(agentMetrics, "links_up")).toBe(1);
});

test("one coordinator under two addresses keeps one link", async () => {
  const coordinator = await fleet.coordinator();
  const port = coordinator.address.split(":")[1];
  agentMetrics = (await fleet.agent([coordinator.address, `localhost:${port}`])).metrics;
  const start = await sleeping(coordinator, 700);
  await coordinator.report(start.taskId);
  expect(coordinator.hellos.length).toBeLessThanOrEqual(3);
  expect(await metric(agentMetrics, "links_up")).toBe(1);
});
