/** A leader that has no link to a node commands it by another coordinator. */
import { AttemptVerdict } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cancelTask } from "../domain/cancel-task.ts";
import { updateRecord } from "../store/update.ts";
import { type Coordinator, createTask, FleetFixture, readyAgent } from "./testing/fleet-fixture.ts";
import { hasty } from "./testing/hasty-clock.ts";

const { ATTEMPT_VERDICT_COMMITTED: COMMITTED } = AttemptVerdict;

let fixture: FleetFixture;
let leader: Coordinator;
let other: Coordinator;
beforeEach(async () => {
  fixture = await FleetFixture.open();
  leader = await fixture.coordinator({ clock: hasty });
  await expect.poll(() => leader.leadership.epoch()).not.toBeNull();
  other = await fixture.coordinator({ clock: hasty });
});
afterEach(() => fixture.close());

test("commands a node that only another coordinator reaches, under the leader's epoch", async () => {
  const epoch = leader.leadership.epoch();
  // With others that the leader reaches itself, so that it stays.
  await Promise.all(["node-b", "node-c"].map((nodeId) => fixture.agent(leader, nodeId).hello({ slots: 0 })));
  const { agent, service } = await readyAgent(fixture, other, {});
  const task = await createTask(leader.store, service);
  const { attempt } = await agent.nextStart();
  expect(attempt?.taskId).toBe(task.id);
  expect((await agent.succeed(attempt, "done")).verdict).toBe(COMMITTED);
  const cancelled = await createTask(leader.store, service);
  const second = await agent.nextStart();
  const { tasks } = leader.store.view;
  await updateRecord(
    leader.store,
    "tasks",
    async () => tasks.get(cancelled.id) ?? null,
    (read) => cancelTask(read, Date.now()),
  );
  expect(await agent.nextCancel()).toMatchObject({ taskId: second.attempt?.taskId });
  expect(leader.leadership.epoch()).toBe(epoch);
});

test("resigns where another coordinator reaches far more nodes", { timeout: 60_000 }, async () => {
  const epoch = leader.leadership.epoch() ?? 0;
  await Promise.all(["node-a", "node-b"].map((nodeId) => fixture.agent(other, nodeId).hello()));
  await expect.poll(() => other.leadership.epoch(), { timeout: 40_000 }).toBeGreaterThan(epoch);
  expect(leader.leadership.epoch()).toBeNull();
});
