import { AttemptVerdict, Directive } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claim } from "../domain/task.ts";
import { cancelWithService } from "../scheduler/decide/end-open-task.ts";
import { replace } from "../store/change.ts";
import { createTask, FleetFixture, readyAgent, seen } from "./testing/fleet-fixture.ts";

const { ATTEMPT_VERDICT_COMMITTED: COMMITTED } = AttemptVerdict;

let fixture: FleetFixture;
beforeEach(async () => {
  fixture = await FleetFixture.open();
});
afterEach(async () => {
  await fixture.close();
});

test("continues what runs and starts what waits when another coordinator takes over", async () => {
  const first = await fixture.coordinator();
  const { agent, service, assignmentId } = await readyAgent(fixture, first);
  const second = await fixture.coordinator();
  const agentOfSecond = fixture.agent(second, "node-a");
  await agentOfSecond.hello({
    workloads: [{ assignmentId, phase: 3, failure: undefined }],
  });
  const running = await createTask(first.store, service);
  const { attempt } = await agent.nextStart();
  const waiting = await createTask(first.store, service);
  expect(agentOfSecond.untaken("attemptCommands")).toBe(0);
  expect(agentOfSecond.untaken("assignments")).toBe(0);

  await first.stop();
  const { assignments } = await agentOfSecond.next("assignments");
  expect(assignments.map((assignment) => assignment.assignmentId)).toEqual([assignmentId]);
  // What the leader before may not have sent is sent again, under the same token.
  expect((await agentOfSecond.nextStart()).attempt).toEqual(attempt);
  expect((await agentOfSecond.succeed(attempt, "r")).verdict).toBe(COMMITTED);
  const next = await agentOfSecond.nextStart();
  expect(next.attempt).toMatchObject({ taskId: waiting.id, number: 1 });
  expect((await agentOfSecond.succeed(next.attempt, "r")).verdict).toBe(COMMITTED);
  expect(second.store.view.tasks.get(running.id)?.value.attempts.started).toBe(1);
});

test("sends the cancel that the leader before may not have sent", async () => {
  const first = await fixture.coordinator();
  const { agent, service, assignmentId } = await readyAgent(fixture, first);
  const second = await fixture.coordinator();
  const agentOfSecond = fixture.agent(second, "node-a");
  const task = await createTask(first.store, service);
  const { attempt } = await agent.nextStart();
  await agentOfSecond.hello({
    attempts: attempt ? [attempt] : [],
    workloads: [{ assignmentId, phase: 3, failure: undefined }],
  });
  const read = await second.store.get("tasks", task.id);
  if (read === null) throw new Error("the task is in the store");
  await second.store.commit([replace("tasks", read, cancelWithService(read.value, Date.now()))]);
  await seen(second.store.view.tasks, task.id, ({ phase }) => phase.kind === "cancelled");
  expect(agentOfSecond.untaken("attemptCommands")).toBe(0);

  await first.stop();
  const { cancel } = await agentOfSecond.next("attemptCommands");
  expect(cancel).toEqual([{ attempt }]);
});

test("a report to a coordinator that does not lead is committed all the same", async () => {
  const first = await fixture.coordinator();
  const { agent, service } = await readyAgent(fixture, first);
  const second = await fixture.coordinator();
  const agentOfSecond = fixture.agent(second, "node-a");
  const task = await createTask(first.store, service);
  const { attempt } = await agent.nextStart();
  const welcome = await agentOfSecond.hello({ attempts: attempt ? [attempt] : [] });
  expect(welcome.directives[0]?.directive).toBe(Directive.DIRECTIVE_KEEP);
  expect((await agentOfSecond.succeed(attempt, "r")).verdict).toBe(COMMITTED);
  await seen(first.store.view.tasks, task.id, ({ phase }) => phase.kind === "succeeded");
});

test("a leader that was deposed without knowing commits nothing", async () => {
  const first = await fixture.coordinator();
  const { service, assignmentId } = await readyAgent(fixture, first);
  const epoch = first.leadership.epoch();
  if (epoch === null) throw new Error("the first coordinator leads");
  const second = await fixture.coordinator();
  await first.leadership.stop();
  await expect.poll(() => second.leadership.epoch()).not.toBeNull();

  const task = await createTask(first.store, service);
  const read = first.store.view.tasks.get(task.id);
  if (read === undefined) throw new Error("the task is in the view");
  const on = { nodeId: "node-a", sessionId: "session-1", assignmentId };
  const outcome = await first.store.commit([replace("tasks", read, claim(read.value, on, Date.now()))], { epoch });
  expect(outcome.kind).toBe("conflict");
});

test("two leaders of one task never start it twice", async () => {
  const first = await fixture.coordinator();
  const { service, assignmentId } = await readyAgent(fixture, first, { hello: { slots: 1 } });
  const second = await fixture.coordinator();
  const task = await createTask(first.store, service);
  await seen(second.store.view.tasks, task.id, () => true);
  const read = await second.store.get("tasks", task.id);
  if (read === null) throw new Error("the task is in the store");
  const on = { nodeId: "node-a", sessionId: "session-1", assignmentId };
  const claims = [first, second].map(({ store }) =>
    store.commit([
      replace("tasks", read, claim({ ...read.value, phase: { kind: "queued", since: 0, lastFailure: null } }, on, 1)),
    ]),
  );
  const outcomes = await Promise.all(claims);
  expect(outcomes.filter(({ kind }) => kind === "committed").length).toBeLessThanOrEqual(1);
  expect((await second.store.get("tasks", task.id))?.value.attempts.started).toBe(1);
});

test("loses nothing while the store is away, and resumes everything afterwards", async () => {
  const coordinator = await fixture.coordinator();
  const { agent, service } = await readyAgent(fixture, coordinator);
  const task = await createTask(coordinator.store, service);
  const { attempt } = await agent.nextStart();
  coordinator.kv.faults.away = true;
  const value = { result: { $case: "inlineResult" as const, value: Buffer.from("r") } };
  const report = { attempt, outcome: { $case: "succeeded" as const, value }, waitMs: 0n, runMs: 1n };
  agent.send({ $case: "attemptReports", value: { reports: [report] } });
  await agent.heartbeat();
  expect(agent.untaken("attemptAcks")).toBe(0);

  coordinator.kv.faults.away = false;
  expect((await agent.succeed(attempt, "r")).verdict).toBe(COMMITTED);
  const next = await createTask(coordinator.store, service);
  const start = await agent.nextStart();
  expect(start.attempt?.taskId).toBe(next.id);
  expect(coordinator.store.view.tasks.get(task.id)?.value.phase.kind).toBe("succeeded");
});
