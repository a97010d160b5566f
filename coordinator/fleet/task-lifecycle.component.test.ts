import { AttemptVerdict } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTask, deployService, FleetFixture, readyAgent, seen } from "./testing/fleet-fixture.ts";

let fixture: FleetFixture;
beforeEach(async () => {
  fixture = await FleetFixture.open();
});
afterEach(async () => {
  await fixture.close();
});

test("a task goes from the queue to an agent and comes back as a result", async () => {
  const coordinator = await fixture.coordinator();
  const { store } = coordinator;
  const agent = fixture.agent(coordinator, "node-a");
  const welcome = await agent.hello();
  expect(welcome.coordinatorAddresses).toEqual([coordinator.fleet.address]);

  const { service } = await deployService(store, { scaling: { min: 1 } });
  const [assignment] = await agent.bringUp(1);
  await seen(store.view.services, service.id, ({ state }) => state.kind === "ready");

  const task = await createTask(store, service, '{"n":12345678901234567890}');
  const start = await agent.nextStart();
  expect(start.assignmentId).toBe(assignment?.assignmentId);
  expect(start.inlineInput?.toString()).toBe('{"n":12345678901234567890}');
  expect(start.requestId).toBe(task.requestId);

  const ack = await agent.succeed(start.attempt, "the proof");
  expect(ack.verdict).toBe(AttemptVerdict.ATTEMPT_VERDICT_COMMITTED);
  const ended = await store.view.tasks.ended(task.id, AbortSignal.timeout(5_000));
  expect(ended?.value.phase).toMatchObject({ kind: "succeeded", attempt: 1, result: { bytes: 9, where: "store" } });
  expect((await store.bytes("result", task.id))?.toString()).toBe("the proof");
});

test("starts a task whose claim the store did not take, once it takes writes again", async () => {
  const lines: string[] = [];
  const leader = await fixture.coordinator({ log: pino({}, { write: (line) => void lines.push(line) }) });
  const { agent, service } = await readyAgent(fixture, leader);
  const { store } = await fixture.coordinator();
  leader.kv.faults.full = true;
  const task = await createTask(store, service);
  await expect.poll(() => lines.some((line) => line.includes("the store is away; scheduling waits"))).toBe(true);
  leader.kv.faults.full = false;
  await expect.poll(() => agent.untaken("attemptCommands"), { timeout: 5_000 }).toBe(1);
  const start = await agent.nextStart();
  expect(start.attempt).toMatchObject({ taskId: task.id, number: 1 });
  await agent.succeed(start.attempt, "the proof");
  await seen(store.view.tasks, task.id, ({ phase }) => phase.kind === "succeeded");
});
