/** What a coordinator does with what later versions of agents report, and of coordinators wrote. */
import { AttemptVerdict, Directive } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordKind } from "../store/keys.ts";
import { recordKey } from "../store/keys.ts";
import { createTask } from "./testing/fleet-fixture.ts";
import { type ReadyFleet, startReadyFleet, workloadUp } from "./testing/ready-fleet.ts";

let fleet: ReadyFleet;
beforeAll(async () => {
  fleet = await startReadyFleet({ limits: { concurrency: 8 } });
});
afterAll(() => fleet.fixture.close());

/** As a later version of the coordinator would. */
async function writeAsLater(kind: RecordKind, id: string, change: object): Promise<void> {
  const { store, kv } = fleet.coordinator;
  const record = await store.get(kind, id);
  const value = Buffer.from(JSON.stringify({ op: "later", value: { ...record?.value, ...change } }));
  await kv.txn({ compares: [], puts: [{ key: recordKey(kind, id), value }], deletes: [] });
}

test("a report whose reason it does not know ends nothing and is not acknowledged, and a known one then does", async () => {
  const { coordinator, agent } = fleet;
  const task = await createTask(coordinator.store, fleet.service);
  const { attempt } = await agent.nextStart();
  const phase = () => coordinator.store.view.tasks.get(task.id)?.value.phase.kind;
  for (const reason of ["solar_flare", "solar_flare"]) {
    const value = { reason, message: "of a later version", logTail: "" };
    const outcome = { $case: "failed" as const, value };
    agent.send({ $case: "attemptReports", value: { reports: [{ attempt, outcome, waitMs: 1n, runMs: 5n }] } });
  }
  // Messages of a link are received in order.
  await agent.heartbeat();
  expect([phase(), agent.untaken("attemptAcks")]).toEqual(["running", 0]);
  expect((await agent.fail(attempt, "prover_error")).verdict).toBe(AttemptVerdict.ATTEMPT_VERDICT_COMMITTED);
  expect(phase()).toBe("failed");
});

test("a workload that failed for a reason it does not know stays as it was", async () => {
  const { coordinator, agent, assignmentId } = fleet;
  const before = coordinator.store.view.workloads.get(assignmentId);
  agent.reportWorkload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_FAILED, "solar_flare");
  agent.reportWorkload(assignmentId, 99 as WorkloadPhase);
  await agent.heartbeat();
  expect(await coordinator.store.get("workloads", assignmentId)).toEqual(before);
});

test("an agent continues an attempt whose task this coordinator cannot read", async () => {
  const { coordinator, fixture, assignmentId } = fleet;
  const task = await createTask(coordinator.store, fleet.service);
  const { attempt } = await fleet.agent.nextStart();
  await writeAsLater("tasks", task.id, { phase: { kind: "suspended" } });
  const again = fixture.agent(coordinator, "node-a");
  const welcome = await again.hello({ attempts: attempt ? [attempt] : [], workloads: [workloadUp(assignmentId)] });
  expect(welcome.directives).toMatchObject([{ directive: Directive.DIRECTIVE_KEEP }]);
});

test("sends no assignments while one of them cannot be read, which agents would end", async () => {
  const { coordinator, fixture, assignmentId } = fleet;
  const agent = fixture.agent(coordinator, "node-a");
  await agent.hello({ workloads: [workloadUp(assignmentId)] });
  expect((await agent.next("assignments")).assignments).toHaveLength(1);
  await writeAsLater("assignments", assignmentId, { workload: { kind: "moon" } });
  await expect.poll(() => coordinator.store.view.unreadable(["assignments"])).toBe(1);
  await agent.heartbeat();
  expect(agent.untaken("assignments")).toBe(0);
});

test("lets in no node whose record cannot be read: it may have been evicted", async () => {
  const { coordinator, fixture } = fleet;
  const agent = fixture.agent(coordinator, "node-b");
  await agent.hello();
  await writeAsLater("nodes", "node-b", { state: "retired" });
  expect(await agent.ended()).toMatchObject({
    code: status.UNAVAILABLE,
    details: expect.stringMatching(/later version/),
  });
  await expect(fixture.agent(coordinator, "node-b").hello()).rejects.toMatchObject({ code: status.UNAVAILABLE });
});
