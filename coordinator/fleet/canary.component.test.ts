/** A deployment that must prove an input before it serves: on its own workload, while the one before continues to serve. */
import { newId } from "@elastic/std/ids.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { beginRollOut } from "../domain/roll-out.ts";
import { deploy } from "../domain/service.ts";
import { aDeployment, aWebhook } from "../domain/testing/records.ts";
import { create, replace } from "../store/change.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import {
  type Coordinator,
  createTask,
  type DeployedService,
  FleetFixture,
  readyAgent,
  seen,
} from "./testing/fleet-fixture.ts";

let fixture: FleetFixture;
let coordinator: Coordinator;
let agent: FakeAgent;
let deployed: DeployedService;
let currentAssignment: string;

beforeEach(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
  ({ agent, assignmentId: currentAssignment, ...deployed } = await readyAgent(fixture, coordinator));
});
afterEach(() => fixture.close());

const INPUT = '{"n":7}';

/** The next deployment of the service, up on the agent. */
async function bringUpNext() {
  const { store } = coordinator;
  const { sha256, bytes } = await fixture.blobs.put(deployed.service.teamId, chunks(INPUT), { bytesMax: 100 });
  const { id: serviceId, teamId } = deployed.service;
  const canary = { taskId: newId(1), input: { sha256, bytes, where: "blob" }, runMs: 5 } as const;
  const next = { ...aDeployment({ id: newId(Date.now()), serviceId, scaling: { min: 1 } }), canary };
  const before = await store.get("services", serviceId);
  if (before === null) throw new Error("no service");
  const rollOut = beginRollOut({ id: next.id, serviceId, teamId }, { receivedAt: 0, resolvedAt: 0 }, null);
  await store.commit([
    create("deployments", next),
    create("roll-outs", rollOut),
    replace("services", before, deploy(before.value, next.id)),
  ]);
  const assignments = await agent.bringUp(2);
  const own = assignments.find(({ assignmentId }) => assignmentId !== currentAssignment);
  return { next, assignmentId: own?.assignmentId };
}

async function* chunks(text: string): AsyncIterable<Buffer> {
  yield Buffer.from(text);
}

const serving = () => coordinator.store.view.services.get(deployed.service.id)?.value.currentDeploymentId;

test("proves it on its own workload, and serves then", async () => {
  const { next, assignmentId } = await bringUpNext();
  const start = await agent.nextStart();
  expect(start.assignmentId).toBe(assignmentId);
  expect((await agent.fetchInput(start.attempt)).toString()).toBe(INPUT);
  expect(serving()).toBe(deployed.deployment.id);
  const task = await createTask(coordinator.store, deployed.service);
  const others = await agent.nextStart();
  expect([others.attempt?.taskId, others.assignmentId]).toEqual([task.id, currentAssignment]);
  await agent.succeed(start.attempt, "the proof");
  await seen(coordinator.store.view.services, deployed.service.id, (one) => one.currentDeploymentId === next.id);
  const stages = coordinator.store.view.rollOuts.get(next.id)?.value.events.map(({ stage }) => stage);
  expect(stages?.slice(-3)).toEqual(["healthy", "proving", "ready"]);
});

test("leaves the one before where it does not prove it, and notifies nobody of a task", async () => {
  const webhook = aWebhook(deployed.service, { id: newId(2) });
  await coordinator.store.commit([create("webhooks", webhook)]);
  const { next } = await bringUpNext();
  await agent.fail((await agent.nextStart()).attempt, "prover_error");
  const failed = await seen(coordinator.store.view.services, deployed.service.id, (one) => one.rollOutFailure !== null);
  expect(failed.rollOutFailure).toMatchObject({ deploymentId: next.id, step: "proving", reason: "prover_error" });
  expect([failed.state.kind, serving()]).toEqual(["ready", deployed.deployment.id]);
  const sent = [...coordinator.store.view.deliveries.of(webhook.id)].map(({ value }) => value.type);
  expect(sent).toEqual(["deployment.failed"]);
});

test("tries again where the machinery failed, and gives the task to no workload that serves", async () => {
  const { next, assignmentId } = await bringUpNext();
  const first = await agent.nextStart();
  await agent.fail(first.attempt, "gpu_fault");
  const second = await agent.nextStart();
  expect(second.assignmentId).toBe(assignmentId);
  expect(second.attempt?.taskId).not.toBe(first.attempt?.taskId);
  await agent.succeed(second.attempt, "the proof");
  await seen(coordinator.store.view.services, deployed.service.id, (one) => one.currentDeploymentId === next.id);
});

test("continues under another leader", async () => {
  const { next } = await bringUpNext();
  const sent = await agent.nextStart();
  const other = await fixture.coordinator();
  const again = fixture.agent(other, "node-a");
  await again.hello();
  await coordinator.stop();
  await again.bringUp(2);
  const start = await again.nextStart();
  expect(start.attempt?.taskId).toBe(sent.attempt?.taskId);
  await again.succeed(start.attempt, "the proof");
  await seen(other.store.view.services, deployed.service.id, (one) => one.currentDeploymentId === next.id);
});
