import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FakeAgent } from "./testing/fake-agent.ts";
import {
  type Coordinator,
  createTask,
  type DeployedService,
  FleetFixture,
  readyAgent,
} from "./testing/fleet-fixture.ts";

let fixture: FleetFixture;
let coordinator: Coordinator;
let agent: FakeAgent;
let thief: FakeAgent;
let deployed: DeployedService;
beforeAll(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
  const ready = await readyAgent(fixture, coordinator);
  agent = ready.agent;
  deployed = ready;
  thief = fixture.agent(coordinator, "node-thief");
  await thief.hello({ slots: 0 });
});
afterAll(async () => {
  await fixture.close();
});

async function reportProgress(from: FakeAgent, attempt: AttemptRef | undefined, fraction: number, message: string) {
  from.send({ $case: "attemptProgress", value: { progresses: [{ attempt, fraction, message }] } });
  // Messages of a link are read in order.
  await from.heartbeat();
}

test("knows the progress of a running attempt, reported by its own node under its token, until it ends", async () => {
  const task = await createTask(coordinator.store, deployed.service);
  const { attempt } = await agent.nextStart();
  const { progress } = coordinator;
  await reportProgress(thief, attempt, 0.9, "stolen");
  await reportProgress(agent, { taskId: task.id, number: 1, token: { storeEpoch: 1n, revision: 1n } }, 0.9, "forged");
  await reportProgress(agent, undefined, 0.9, "of nothing");
  expect(progress.get(task.id, 1)).toBeNull();

  await reportProgress(agent, attempt, 0.25, "witness");
  expect(progress.get(task.id, 1)).toEqual({ fraction: 0.25, message: "witness" });
  await agent.succeed(attempt, "r");
  expect(progress.get(task.id, 1)).toBeNull();
  await reportProgress(agent, attempt, 0.5, "late");
  expect(progress.get(task.id, 1)).toBeNull();
});
