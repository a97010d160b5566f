import { AttemptVerdict } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Service } from "../domain/service.ts";
import type { Task } from "../domain/task.ts";
import { aTask } from "../domain/testing/records.ts";
import { create, inputBytes } from "../store/change.ts";
import type { CommitOutcome } from "../store/store.ts";
import { type Coordinator, createTask, FleetFixture, readyAgent, seen } from "./testing/fleet-fixture.ts";

const { ATTEMPT_VERDICT_COMMITTED: COMMITTED } = AttemptVerdict;
const INPUT = '{"n":12345678901234567890}';

let fixture: FleetFixture;
beforeEach(async () => {
  fixture = await FleetFixture.open();
});
afterEach(async () => {
  await fixture.close();
});

interface Started {
  readonly task: Task;
  commit(): Promise<CommitOutcome>;
}

/** A task on a place that the coordinator's scheduler gives, not committed yet. */
function placed({ store, scheduler }: Coordinator, service: Service): Started {
  const input = Buffer.from(INPUT);
  const now = Date.now();
  const queued = aTask(service, {
    createdAt: now,
    input: { bytes: input.length, sha256: "0".repeat(64), where: "store" },
  });
  const place = scheduler.reserve(queued);
  if (place === null) throw new Error("there is room");
  return {
    task: place.task,
    commit: async () => {
      const changes = [create("tasks", place.task), inputBytes(place.task.id, input)];
      const outcome = await store.commit(changes, { epoch: place.epoch });
      if (outcome.kind === "committed") place.confirm();
      else place.release();
      return outcome;
    },
  };
}

test("sends an agent a task that is created as running once, with its input", async () => {
  const coordinator = await fixture.coordinator();
  const { agent, service } = await readyAgent(fixture, coordinator);
  const { task, commit } = placed(coordinator, service);
  const outcome = await commit();
  const start = await agent.nextStart();
  expect(start.inlineInput?.toString()).toBe(INPUT);
  expect(start.attempt).toMatchObject({ taskId: task.id, number: 1 });
  // The revision of the creation is the attempt's token.
  expect(start.attempt?.token?.revision).toBe(outcome.kind === "committed" ? BigInt(outcome.revision) : null);
  expect((await agent.succeed(start.attempt, "r")).verdict).toBe(COMMITTED);
  const ended = await seen(coordinator.store.view.tasks, task.id, ({ phase }) => phase.kind === "succeeded");
  expect(ended.attempts.started).toBe(1);
  await agent.heartbeat();
  expect(agent.untaken("attemptCommands")).toBe(0);
});

test("a place that is held keeps others waiting until it is free", async () => {
  const coordinator = await fixture.coordinator();
  const { agent, service } = await readyAgent(fixture, coordinator);
  const { commit } = placed(coordinator, service);
  const waiting = await createTask(coordinator.store, service);
  expect(coordinator.scheduler.reserve(aTask(service))).toBeNull();
  await commit();
  const first = await agent.nextStart();
  await agent.succeed(first.attempt, "r");
  expect((await agent.nextStart()).attempt?.taskId).toBe(waiting.id);
});

test("only the coordinator that leads gives places", async () => {
  const first = await fixture.coordinator();
  const { service } = await readyAgent(fixture, first);
  const second = await fixture.coordinator();
  expect(second.scheduler.reserve(aTask(service))).toBeNull();
  await first.leadership.stop();
  await expect.poll(() => second.leadership.epoch()).not.toBeNull();
  expect(first.scheduler.reserve(aTask(service))).toBeNull();
});

test("a place of a leader that was deposed meanwhile creates nothing", async () => {
  const first = await fixture.coordinator();
  const { service } = await readyAgent(fixture, first);
  const { task, commit } = placed(first, service);
  const second = await fixture.coordinator();
  await first.leadership.stop();
  await expect.poll(() => second.leadership.epoch()).not.toBeNull();
  expect((await commit()).kind).toBe("conflict");
  expect(await second.store.get("tasks", task.id)).toBeNull();
});

test("runs a task at last on its node that was restarted in between, and counts no attempt for it", async () => {
  const coordinator = await fixture.coordinator();
  const { agent, service, assignmentId } = await readyAgent(fixture, coordinator);
  const { task, commit } = placed(coordinator, service);
  agent.close();
  const agentAfter = fixture.agent(coordinator, "node-a");
  await agentAfter.hello({ sessionId: "session-2", workloads: [{ assignmentId, phase: 3, failure: undefined }] });
  await commit();
  const start = await agentAfter.nextStart();
  expect(start.attempt).toMatchObject({ taskId: task.id, number: 2 });
  expect((await agentAfter.succeed(start.attempt, "r")).verdict).toBe(COMMITTED);
  const { attempts } = await seen(coordinator.store.view.tasks, task.id, ({ phase }) => phase.kind === "succeeded");
  expect(attempts).toMatchObject({ started: 2, lost: 1, infrastructure: 0 });
});
