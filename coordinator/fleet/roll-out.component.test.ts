import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { newId } from "@elastic/std/ids.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasEnded, type RollOut } from "../domain/roll-out.ts";
import { deleted, deploy } from "../domain/service.ts";
import { isTerminal } from "../domain/task.ts";
import { aDeployment } from "../domain/testing/records.ts";
import { sealEnv } from "../secrets/deployment-env.ts";
import { create, replace } from "../store/change.ts";
import {
  type Coordinator,
  createTask,
  deployService,
  FleetFixture,
  readyAgent,
  seen,
} from "./testing/fleet-fixture.ts";

const { WORKLOAD_PHASE_READY: READY, WORKLOAD_PHASE_FAILED: FAILED, WORKLOAD_PHASE_STARTING: STARTING } = WorkloadPhase;
const { WORKLOAD_PHASE_PULLING: PULLING } = WorkloadPhase;

let fixture: FleetFixture;
let coordinator: Coordinator;
beforeEach(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
});
afterEach(async () => {
  await fixture.close();
});

test("sends a node what to run, with the decrypted environment", async () => {
  const agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  const id = newId(Date.now());
  const sealedEnv = sealEnv(fixture.secrets, id, { TOKEN: "secret" });
  const { service } = await deployService(coordinator.store, { id, sealedEnv, limits: { concurrency: 3 } });
  await agent.next("assignments");
  const { assignments, storeEpoch, leaderEpoch } = await agent.next("assignments");
  expect(storeEpoch).toBe(BigInt(coordinator.store.epoch));
  expect(leaderEpoch).toBe(BigInt(coordinator.leadership.epoch() ?? -1));
  expect(assignments).toMatchObject([
    {
      workload: {
        value: {
          deploymentId: id,
          serviceId: service.id,
          image: "builtin:echo",
          env: { TOKEN: "secret" },
          concurrency: 3,
        },
      },
      gpuUuids: [],
    },
  ]);
});

test("a first start that fails makes the service failed, with the reason, and its workload ends", async () => {
  const agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  await agent.next("assignments");
  const { service } = await deployService(coordinator.store);
  const { assignments } = await agent.next("assignments");
  const assignmentId = assignments[0]?.assignmentId ?? "";
  agent.reportWorkload(assignmentId, STARTING);
  agent.reportWorkload(assignmentId, FAILED, "image_unavailable");
  const { state } = await seen(coordinator.store.view.services, service.id, ({ state }) => state.kind === "failed");
  expect(state).toMatchObject({ reason: "image_unavailable", message: "image_unavailable" });
  expect((await agent.next("assignments")).assignments).toEqual([]);
  expect([...coordinator.store.view.workloads.values()]).toEqual([]);
});

test("stores each step of a start with its bytes, and publishes bytes that are on their way without storing them", async () => {
  const agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  await agent.next("assignments");
  const { service, deployment } = await deployService(coordinator.store);
  const { assignments } = await agent.next("assignments");
  const assignmentId = assignments[0]?.assignmentId ?? "";
  const doneBytesSeen: number[] = [];
  coordinator.starts.subscribe(deployment.id, ({ doneBytes }) => doneBytesSeen.push(doneBytes));
  const report = (phase: WorkloadPhase, stage: string, doneBytes: bigint) => {
    const progress = { stage, doneBytes, totalBytes: 100n, warning: "", logTail: "" };
    agent.send({ $case: "workloadReport", value: { assignmentId, phase, failure: undefined, progress } });
  };
  report(PULLING, "pulling", 1n);
  await seen(coordinator.store.view.workloads, assignmentId, ({ step }) => step === "pulling");
  const { revision } = coordinator.store.view.workloads.get(assignmentId) ?? {};
  for (const bytes of [20n, 60n, 100n]) report(PULLING, "pulling", bytes);
  await expect.poll(() => doneBytesSeen).toEqual([1, 20, 60, 100]);
  expect(coordinator.store.view.workloads.get(assignmentId)?.revision).toBe(revision);
  report(STARTING, "starting", 100n);
  report(STARTING, "checking", 100n);
  report(READY, "", 100n);
  await seen(coordinator.store.view.services, service.id, ({ state }) => state.kind === "ready");
  const { events } = await seen(coordinator.store.view.rollOuts, deployment.id, hasEnded);
  const stages = ["received", "resolved", "placed", "pulling", "pulled", "started", "healthy", "ready"];
  expect(events.map(({ stage }) => stage)).toEqual(stages);
  expect(events[4]).toMatchObject({ stage: "pulled", bytes: 100, assignmentId });
});

test("says at once what a deployment without room waits for, and continues when there is room", async () => {
  const { deployment } = await deployService(coordinator.store, { resources: { cpuMillis: 2000 } });
  const waiting = (rollOut: RollOut) => rollOut.events.at(-1)?.stage === "waiting";
  const { events } = await seen(coordinator.store.view.rollOuts, deployment.id, waiting);
  expect(events.at(-1)).toMatchObject({ note: "the fleet has no machine for it" });
  const agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  await agent.bringUp(1);
  const ended = await seen(coordinator.store.view.rollOuts, deployment.id, hasEnded);
  expect(ended.events.map(({ stage }) => stage).slice(2)).toEqual([
    ...["waiting", "placed", "pulled", "started", "healthy", "ready"],
  ]);
});

test("a roll-out that fails says how far it came, and why, once the tries are over", async () => {
  const agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  const { service, deployment } = await deployService(coordinator.store);
  const failed = new Set<string>();
  while (failed.size < 3) {
    const { assignments } = await agent.next("assignments");
    for (const { assignmentId } of assignments) {
      if (failed.has(assignmentId)) continue;
      failed.add(assignmentId);
      const failure = { reason: "internal", message: "no engine", exitCode: 4, logTail: "its log" };
      const progress = { stage: "starting", doneBytes: 0n, totalBytes: 0n, warning: "", logTail: "" };
      agent.send({ $case: "workloadReport", value: { assignmentId, phase: FAILED, failure, progress } });
    }
  }
  const { events } = await seen(coordinator.store.view.rollOuts, deployment.id, hasEnded);
  const tries = ["placed", "pulled", "retrying", "placed", "pulled", "retrying", "placed", "pulled", "failed"];
  expect(events.map(({ stage }) => stage).slice(2)).toEqual(tries);
  const failure = { step: "starting", reason: "internal", message: "no engine" };
  expect(events.at(-1)).toMatchObject({ failure: { ...failure, exitCode: 4, logTail: "its log" } });
  const { rollOutFailure } = await seen(
    coordinator.store.view.services,
    service.id,
    ({ state }) => state.kind === "failed",
  );
  expect(rollOutFailure).toEqual({ ...failure, deploymentId: deployment.id });
});

test("a later deployment takes over once it is up, and the one before ends", async () => {
  const { agent, service, assignmentId } = await readyAgent(fixture, coordinator);
  const { store } = coordinator;
  const ready = store.view.services.get(service.id);
  if (ready === undefined) throw new Error("the service is gone");
  const next = aDeployment({ id: newId(Date.now()), serviceId: service.id, scaling: { min: 1 } });
  await store.commit([create("deployments", next), replace("services", ready, deploy(ready.value, next.id))]);
  const { assignments } = await agent.next("assignments");
  const newer = assignments.find((assignment) => assignment.assignmentId !== assignmentId)?.assignmentId ?? "";
  expect(assignments).toHaveLength(2);

  await createTask(store, service);
  expect((await agent.nextStart()).assignmentId).toBe(assignmentId);
  agent.reportWorkload(newer, READY);
  await seen(store.view.services, service.id, ({ currentDeploymentId }) => currentDeploymentId === next.id);
  const task = await createTask(store, service);
  const start = await agent.nextStart();
  expect([start.attempt?.taskId, start.assignmentId]).toEqual([task.id, newer]);
  // The task that runs on the one before keeps it up.
  expect(agent.untaken("assignments")).toBe(0);
});

test("a task that waited past its start budget ends with the reason why no workload comes up", async () => {
  const { agent, service, assignmentId } = await readyAgent(fixture, coordinator);
  agent.reportWorkload(assignmentId, FAILED, "gpu_fault");
  await seen(coordinator.store.view.workloads, assignmentId, ({ phase }) => phase === "failed");
  const budgets = { queueMs: 60_000, startMs: 100, runMs: 60_000 };
  const task = await createTask(coordinator.store, service, "{}", { budgets });
  const ended = await seen(coordinator.store.view.tasks, task.id, ({ phase }) => isTerminal(phase));
  expect(ended.phase).toMatchObject({ kind: "failed", failure: { reason: "gpu_fault", attempts: 0 } });
});

test("a task that nobody takes within its queue budget has expired", async () => {
  const { service } = await deployService(coordinator.store);
  const budgets = { queueMs: 50, startMs: 60_000, runMs: 60_000 };
  const task = await createTask(coordinator.store, service, "{}", { budgets });
  const ended = await seen(coordinator.store.view.tasks, task.id, ({ phase }) => isTerminal(phase));
  expect(ended.phase).toMatchObject({ kind: "expired", failure: { reason: "queue_timeout" } });
});

test("deleting a service cancels what is open and ends its workloads", async () => {
  const { agent, service } = await readyAgent(fixture, coordinator);
  const { store } = coordinator;
  const tasks = [await createTask(store, service), await createTask(store, service)];
  const start = await agent.nextStart();
  const read = store.view.services.get(service.id);
  if (read === undefined) throw new Error("the service is gone");
  await store.commit([replace("services", read, deleted(read.value, Date.now()))]);
  for (const task of tasks) {
    const { phase } = await seen(store.view.tasks, task.id, ({ phase }) => isTerminal(phase));
    expect(phase).toMatchObject({ kind: "cancelled", failure: { reason: "cancelled" } });
  }
  expect(await agent.nextCancel()).toEqual(start.attempt);
  for (;;) if ((await agent.next("assignments")).assignments.length === 0) break;
});

test("a report about another node's workload is refused", async () => {
  const { assignmentId } = await readyAgent(fixture, coordinator);
  const thief = fixture.agent(coordinator, "node-thief");
  await thief.hello({ slots: 0 });
  thief.reportWorkload(assignmentId, FAILED, "internal");
  await thief.heartbeat();
  await expect
    .poll(async () => {
      const metric = await coordinator.metrics.registry.getSingleMetric("elastic_reports_refused_total")?.get();
      return metric?.values.find(({ labels }) => labels.kind === "workload")?.value;
    })
    .toBe(1);
  expect(coordinator.store.view.workloads.get(assignmentId)?.value.phase).toBe("ready");
});
