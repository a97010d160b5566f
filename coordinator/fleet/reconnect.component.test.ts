import { AttemptVerdict, Directive } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StoreUnavailableError } from "../store/kv.ts";
import { type Coordinator, createTask, FleetFixture, readyAgent } from "./testing/fleet-fixture.ts";
import { workloadUp } from "./testing/ready-fleet.ts";

const { ATTEMPT_VERDICT_COMMITTED: COMMITTED, ATTEMPT_VERDICT_STALE: STALE } = AttemptVerdict;

let fixture: FleetFixture;
let coordinator: Coordinator;
beforeEach(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
});
afterEach(async () => {
  await fixture.close();
});

test("keeps the attempt of an agent that reconnects in the same session", async () => {
  const { agent, service, assignmentId } = await readyAgent(fixture, coordinator);
  const task = await createTask(coordinator.store, service);
  const { attempt } = await agent.nextStart();
  agent.close();

  const again = fixture.agent(coordinator, "node-a");
  const welcome = await again.hello({ attempts: attempt ? [attempt] : [], workloads: [workloadUp(assignmentId)] });
  expect(welcome.directives).toEqual([{ attempt, directive: Directive.DIRECTIVE_KEEP }]);
  expect((await again.succeed(attempt, "kept")).verdict).toBe(COMMITTED);
  expect(coordinator.store.view.tasks.get(task.id)?.value).toMatchObject({
    attempts: { started: 1 },
    phase: { kind: "succeeded" },
  });
  expect(again.untaken("attemptCommands")).toBe(0);
});

test("sends an attempt again that an agent of the same session never received", async () => {
  const { agent, service, assignmentId } = await readyAgent(fixture, coordinator);
  await createTask(coordinator.store, service);
  const { attempt } = await agent.nextStart();
  agent.close();

  const again = fixture.agent(coordinator, "node-a");
  await again.hello({ workloads: [workloadUp(assignmentId)] });
  const resent = await again.nextStart();
  expect(resent.attempt).toEqual(attempt);
  expect((await again.bulk.fetchInput(resent.attempt)).toString()).toBe("{}");
});

test("gives a restarted agent without the attempt a new one at once, at no cost", async () => {
  const { agent, service, assignmentId } = await readyAgent(fixture, coordinator);
  const task = await createTask(coordinator.store, service);
  const { attempt } = await agent.nextStart();
  agent.close();

  const agentAfter = fixture.agent(coordinator, "node-a");
  await agentAfter.hello({ sessionId: "session-2", workloads: [workloadUp(assignmentId)] });
  const second = await agentAfter.nextStart();
  expect(second.attempt).toMatchObject({ taskId: task.id, number: 2 });
  expect(coordinator.store.view.tasks.get(task.id)?.value.attempts).toEqual({
    started: 2,
    infrastructure: 0,
    lost: 1,
    prover: 0,
  });
  expect((await agentAfter.succeed(attempt, "from before")).verdict).toBe(STALE);
  expect((await agentAfter.succeed(second.attempt, "from now")).verdict).toBe(COMMITTED);
});

test("ends an attempt of an agent process that is gone as soon as the store is back", async () => {
  const { agent, service, assignmentId } = await readyAgent(fixture, coordinator);
  const task = await createTask(coordinator.store, service);
  await agent.nextStart();
  agent.close();

  const { kv, store } = coordinator;
  // The store takes the hello and then nothing until the loss was tried once.
  const refused = Promise.withResolvers<void>();
  const txn = kv.txn.bind(kv);
  kv.txn = async (request) => {
    if (!request.puts.some(({ key }) => key.endsWith(task.id))) return await txn(request);
    kv.txn = txn;
    refused.resolve();
    throw new StoreUnavailableError("away for a moment");
  };
  const agentAfter = fixture.agent(coordinator, "node-a");
  await agentAfter.hello({ sessionId: "session-2", workloads: [workloadUp(assignmentId)] });
  await refused.promise;
  expect((await agentAfter.nextStart()).attempt).toMatchObject({ taskId: task.id, number: 2 });
  expect(store.view.tasks.get(task.id)?.value.attempts.lost).toBe(1);
});

test("accepts a spooled outcome from a restarted agent", async () => {
  const { agent, service, assignmentId } = await readyAgent(fixture, coordinator);
  const task = await createTask(coordinator.store, service);
  const { attempt } = await agent.nextStart();
  agent.close();

  const agentAfter = fixture.agent(coordinator, "node-a");
  const hello = { sessionId: "session-2", workloads: [workloadUp(assignmentId)], attempts: attempt ? [attempt] : [] };
  const welcome = await agentAfter.hello(hello);
  expect(welcome.directives[0]?.directive).toBe(Directive.DIRECTIVE_KEEP);
  expect((await agentAfter.succeed(attempt, "spooled")).verdict).toBe(COMMITTED);
  expect(coordinator.store.view.tasks.get(task.id)?.value.attempts.started).toBe(1);
});

test("cancels an attempt that ended while its agent was away", async () => {
  const { agent, service } = await readyAgent(fixture, coordinator);
  await createTask(coordinator.store, service);
  const { attempt } = await agent.nextStart();
  await agent.fail(attempt, "bad_output");
  agent.close();

  const again = fixture.agent(coordinator, "node-a");
  const strange = { taskId: "f".repeat(32), number: 1, token: { storeEpoch: 1n, revision: 7n } };
  const welcome = await again.hello({ attempts: [...(attempt ? [attempt] : []), strange] });
  expect(welcome.directives.map(({ directive }) => directive)).toEqual([
    Directive.DIRECTIVE_CANCEL,
    Directive.DIRECTIVE_CANCEL,
  ]);
});
