/** A deployment that must prove an input before it serves: on its own workload, while the one before continues to serve. */
import { newId } from "@elastic/std/ids.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { beginRollOut } from "../domain/roll-out.ts";
import { deploy } from "../domain/service.ts";
import { aDeployment, aWebhook } from "../domain/testing/records.ts";
import { create, replace } from "../store/change.ts";
import { createTask, seen } from "./testing/fleet-fixture.ts";
import { type ReadyFleet, startReadyFleet } from "./testing/ready-fleet.ts";

let fleet: ReadyFleet;

beforeEach(async () => {
  fleet = await startReadyFleet();
});
afterEach(() => fleet.fixture.close());

const INPUT = '{"n":7}';

/** The next deployment of the service, up on the agent. */
async function bringUpNext() {
  const { store } = fleet.coordinator;
  const { sha256, bytes } = await fleet.fixture.blobs.put(fleet.service.teamId, chunks(INPUT), { bytesMax: 100 });
  const { id: serviceId, teamId } = fleet.service;
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
  const assignments = await fleet.agent.bringUp(2);
  const own = assignments.find(({ assignmentId }) => assignmentId !== fleet.assignmentId);
  return { next, assignmentId: own?.assignmentId };
}

async function* chunks(text: string): AsyncIterable<Buffer> {
  yield Buffer.from(text);
}

const serving = () => fleet.coordinator.store.view.services.get(fleet.service.id)?.value.currentDeploymentId;

test("proves it on its own workload, and serves then", async () => {
  const { next, assignmentId } = await bringUpNext();
  const start = await fleet.agent.nextStart();
  expect(start.assignmentId).toBe(assignmentId);
  expect((await fleet.agent.bulk.fetchInput(start.attempt)).toString()).toBe(INPUT);
  expect(serving()).toBe(fleet.deployment.id);
  const task = await createTask(fleet.coordinator.store, fleet.service);
  const others = await fleet.agent.nextStart();
  expect([others.attempt?.taskId, others.assignmentId]).toEqual([task.id, fleet.assignmentId]);
  await fleet.agent.succeed(start.attempt, "the proof");
  await seen(fleet.coordinator.store.view.services, fleet.service.id, (one) => one.currentDeploymentId === next.id);
  const stages = fleet.coordinator.store.view.rollOuts.get(next.id)?.value.events.map(({ stage }) => stage);
  expect(stages?.slice(-3)).toEqual(["healthy", "proving", "ready"]);
});

test("leaves the one before where it does not prove it, and notifies nobody of a task", async () => {
  const webhook = aWebhook(fleet.service, { id: newId(2) });
  await fleet.coordinator.store.commit([create("webhooks", webhook)]);
  const { next } = await bringUpNext();
  await fleet.agent.fail((await fleet.agent.nextStart()).attempt, "prover_error");
  const failed = await seen(
    fleet.coordinator.store.view.services,
    fleet.service.id,
    (one) => one.rollOutFailure !== null,
  );
  expect(failed.rollOutFailure).toMatchObject({ deploymentId: next.id, step: "proving", reason: "prover_error" });
  expect([failed.state.kind, serving()]).toEqual(["ready", fleet.deployment.id]);
  const sent = [...fleet.coordinator.store.view.deliveries.of(webhook.id)].map(({ value }) => value.type);
  expect(sent).toEqual(["deployment.failed"]);
});

test("tries again where the machinery failed, and gives the task to no workload that serves", async () => {
  const { next, assignmentId } = await bringUpNext();
  const first = await fleet.agent.nextStart();
  await fleet.agent.fail(first.attempt, "gpu_fault");
  const second = await fleet.agent.nextStart();
  expect(second.assignmentId).toBe(assignmentId);
  expect(second.attempt?.taskId).not.toBe(first.attempt?.taskId);
  await fleet.agent.succeed(second.attempt, "the proof");
  await seen(fleet.coordinator.store.view.services, fleet.service.id, (one) => one.currentDeploymentId === next.id);
});

test("continues under another leader", async () => {
  const { next } = await bringUpNext();
  const sent = await fleet.agent.nextStart();
  const other = await fleet.fixture.coordinator();
  const again = fleet.fixture.agent(other, "node-a");
  await again.hello();
  await fleet.coordinator.stop();
  await again.bringUp(2);
  const start = await again.nextStart();
  expect(start.attempt?.taskId).toBe(sent.attempt?.taskId);
  await again.succeed(start.attempt, "the proof");
  await seen(other.store.view.services, fleet.service.id, (one) => one.currentDeploymentId === next.id);
});
