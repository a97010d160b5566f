/** Whoever ends a task or a roll-out, a webhook receives its event once. */
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { newId } from "@elastic/std/ids.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deleted } from "../domain/service.ts";
import { aWebhook } from "../domain/testing/records.ts";
import { create, replace } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import { type Coordinator, createTask, deployService, FleetFixture, seen } from "./testing/fleet-fixture.ts";

let fixture: FleetFixture;
let coordinator: Coordinator;
let store: Store;
let agent: FakeAgent;

beforeEach(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
  store = coordinator.store;
  agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
});
afterEach(() => fixture.close());

async function deployWithWebhook() {
  const deployed = await deployService(store, { scaling: { min: 1 } });
  const webhook = aWebhook(deployed.service, { id: newId(Date.now()) });
  await store.commit([create("webhooks", webhook)]);
  const deliveredEvents = () =>
    [...store.view.deliveries.of(webhook.id)].map(({ value }) => [value.type, value.subjectId]);
  return { ...deployed, deliveredEvents };
}

test("a roll-out that succeeds, and tasks that end by their agent's report or with their service", async () => {
  const { service, deployment, deliveredEvents } = await deployWithWebhook();
  await agent.bringUp(1);
  await seen(store.view.services, service.id, ({ state }) => state.kind === "ready");
  const expected = [["deployment.ready", deployment.id]];
  expect(deliveredEvents()).toEqual(expected);

  const proven = await createTask(store, service);
  await agent.succeed((await agent.nextStart()).attempt, "the proof");
  expected.push(["task.succeeded", proven.id]);
  expect(deliveredEvents()).toEqual(expected);

  const refused = await createTask(store, service);
  await agent.fail((await agent.nextStart()).attempt, "bad_output");
  expected.push(["task.failed", refused.id]);
  expect(deliveredEvents()).toEqual(expected);

  const repeated = await createTask(store, service);
  await agent.fail((await agent.nextStart()).attempt, "gpu_fault");
  expect(deliveredEvents()).toEqual(expected);

  const read = await store.get("services", service.id);
  if (read === null) throw new Error("no service");
  await store.commit([replace("services", read, deleted(read.value, Date.now()))]);
  expected.push(["task.cancelled", repeated.id]);
  await expect.poll(deliveredEvents).toEqual(expected);
});

test("a roll-out that fails", async () => {
  await agent.next("assignments");
  const { service, deployment, deliveredEvents } = await deployWithWebhook();
  const { assignments } = await agent.next("assignments");
  agent.reportWorkload(assignments[0]?.assignmentId ?? "", WorkloadPhase.WORKLOAD_PHASE_FAILED, "image_unavailable");
  await seen(store.view.services, service.id, ({ state }) => state.kind === "failed");
  expect(deliveredEvents()).toEqual([["deployment.failed", deployment.id]]);
});
