import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FakeAgent } from "./testing/fake-agent.ts";
import { createTask } from "./testing/fleet-fixture.ts";
import { type ReadyFleet, startReadyFleet, startThief } from "./testing/ready-fleet.ts";

let fleet: ReadyFleet;
let thief: FakeAgent;
beforeAll(async () => {
  fleet = await startReadyFleet();
  thief = await startThief(fleet);
});
afterAll(() => fleet.fixture.close());

async function reportProgress(from: FakeAgent, attempt: AttemptRef | undefined, fraction: number, message: string) {
  from.send({ $case: "attemptProgress", value: { progresses: [{ attempt, fraction, message }] } });
  // Messages of a link are read in order.
  await from.heartbeat();
}

test("knows the progress of a running attempt, reported by its own node under its token, until it ends", async () => {
  const task = await createTask(fleet.coordinator.store, fleet.service);
  const { attempt } = await fleet.agent.nextStart();
  const { progress } = fleet.coordinator;
  await reportProgress(thief, attempt, 0.9, "stolen");
  await reportProgress(
    fleet.agent,
    { taskId: task.id, number: 1, token: { storeEpoch: 1n, revision: 1n } },
    0.9,
    "forged",
  );
  await reportProgress(fleet.agent, undefined, 0.9, "of nothing");
  expect(progress.get(task.id, 1)).toBeNull();

  await reportProgress(fleet.agent, attempt, 0.25, "witness");
  expect(progress.get(task.id, 1)).toEqual({ fraction: 0.25, message: "witness" });
  await fleet.agent.succeed(attempt, "r");
  expect(progress.get(task.id, 1)).toBeNull();
  await reportProgress(fleet.agent, attempt, 0.5, "late");
  expect(progress.get(task.id, 1)).toBeNull();
});
