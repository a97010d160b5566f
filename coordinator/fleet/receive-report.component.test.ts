import { AttemptVerdict } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { end, isTerminal, type Task } from "../domain/task.ts";
import { replace } from "../store/change.ts";
import { createTask, seen } from "./testing/fleet-fixture.ts";
import { type ReadyFleet, startReadyFleet, startThief } from "./testing/ready-fleet.ts";

const { ATTEMPT_VERDICT_COMMITTED: COMMITTED, ATTEMPT_VERDICT_STALE: STALE } = AttemptVerdict;

let fleet: ReadyFleet;
beforeAll(async () => {
  fleet = await startReadyFleet({ limits: { concurrency: 8 } });
});
afterAll(() => fleet.fixture.close());

async function startedTask(given: Partial<Task> = {}) {
  const task = await createTask(fleet.coordinator.store, fleet.service, "{}", given);
  return { task, start: await fleet.agent.nextStart() };
}

async function endOf(task: Task): Promise<Task> {
  return await seen(fleet.coordinator.store.view.tasks, task.id, ({ phase }) => isTerminal(phase));
}

test("a report that comes twice is committed once and acknowledged as committed both times", async () => {
  const { task, start } = await startedTask();
  expect((await fleet.agent.succeed(start.attempt, "first")).verdict).toBe(COMMITTED);
  const revision = fleet.coordinator.store.view.tasks.get(task.id)?.revision;
  expect((await fleet.agent.succeed(start.attempt, "first")).verdict).toBe(COMMITTED);
  expect(fleet.coordinator.store.view.tasks.get(task.id)?.revision).toBe(revision);
});

test("a failure that comes twice is committed once and acknowledged as committed both times", async () => {
  const { task, start } = await startedTask();
  expect((await fleet.agent.fail(start.attempt, "prover_error")).verdict).toBe(COMMITTED);
  expect((await fleet.agent.fail(start.attempt, "prover_error")).verdict).toBe(COMMITTED);
  expect((await endOf(task)).phase).toMatchObject({ kind: "failed", failure: { reason: "prover_error", attempts: 1 } });
});

test("fails the task of a success whose result is empty or missing", async () => {
  const empty = await startedTask();
  await fleet.agent.succeed(empty.start.attempt, "");
  expect((await endOf(empty.task)).phase).toMatchObject({ kind: "failed", failure: { reason: "bad_output" } });
  const missing = await startedTask();
  await fleet.agent.report(missing.start.attempt, { $case: "succeeded", value: { result: undefined } });
  const again = await fleet.agent.nextStart();
  expect(again.attempt).toMatchObject({ taskId: missing.task.id, number: 2 });
  await fleet.agent.succeed(again.attempt, "there");
});

test("a success that comes after the attempt failed is stale", async () => {
  const { task, start } = await startedTask();
  await fleet.agent.fail(start.attempt, "bad_output");
  expect((await fleet.agent.succeed(start.attempt, "late")).verdict).toBe(STALE);
  expect((await endOf(task)).phase.kind).toBe("failed");
});

test("an infrastructure failure starts the next attempt, whose token alone counts", async () => {
  const { task, start } = await startedTask();
  await fleet.agent.fail(start.attempt, "gpu_fault");
  const again = await fleet.agent.nextStart();
  expect(again.attempt).toMatchObject({ taskId: task.id, number: 2 });
  expect((await fleet.agent.succeed(start.attempt, "of the first")).verdict).toBe(STALE);
  expect((await fleet.agent.succeed(again.attempt, "of the second")).verdict).toBe(COMMITTED);
  expect((await endOf(task)).phase).toMatchObject({ kind: "succeeded", attempt: 2 });
});

test("a token with another revision, number or store epoch commits nothing", async () => {
  const { task, start } = await startedTask();
  const token = start.attempt?.token ?? { storeEpoch: 0n, revision: 0n };
  const forged = [
    { taskId: task.id, number: 1, token: { ...token, revision: token.revision - 1n } },
    { taskId: task.id, number: 1, token: { ...token, storeEpoch: token.storeEpoch + 1n } },
  ];
  for (const attempt of forged) expect((await fleet.agent.succeed(attempt, "forged")).verdict).toBe(STALE);
  expect(fleet.coordinator.store.view.tasks.get(task.id)?.value.phase.kind).toBe("running");
  await fleet.agent.succeed(start.attempt, "true");
});

test("rejects a report that names no attempt, and keeps the link open", async () => {
  expect((await fleet.agent.succeed({ taskId: "../x", number: 1, token: undefined }, "x")).verdict).toBe(STALE);
  expect((await fleet.agent.succeed(undefined, "x")).verdict).toBe(STALE);
  await fleet.agent.heartbeat();
});

test("another node cannot report the attempt", async () => {
  const { task, start } = await startedTask();
  const thief = await startThief(fleet);
  expect((await thief.succeed(start.attempt, "stolen")).verdict).toBe(STALE);
  expect(fleet.coordinator.store.view.tasks.get(task.id)?.value.phase.kind).toBe("running");
  expect(await refused()).toBeGreaterThan(0);
  await fleet.agent.succeed(start.attempt, "own");
  thief.close();
});

async function refused(): Promise<number> {
  const { values } = (await fleet.coordinator.metrics.registry
    .getSingleMetric("elastic_reports_refused_total")
    ?.get()) ?? {
    values: [],
  };
  return values.reduce((total, { value }) => total + value, 0);
}

describe("what an agent says is bounded", () => {
  test("a log tail is cut to its end and a message to its beginning, without control characters", async () => {
    const { task, start } = await startedTask();
    const logTail = `${"\u0000".repeat(9_000)}${'"\\'.repeat(5_000)}the end`;
    const failed = { reason: "prover_error", message: `it \u001b[31m${"m".repeat(5_000)}`, exitCode: -7, logTail };
    await fleet.agent.report(start.attempt, { $case: "failed", value: failed });
    const { phase } = await endOf(task);
    if (phase.kind !== "failed") throw new Error(`it is ${phase.kind}`);
    expect(phase.failure.exitCode).toBe(-7);
    expect(phase.failure.message).toMatch(/^it \[31mm+$/);
    expect(phase.failure.message.length).toBeLessThanOrEqual(1024);
    expect(phase.failure.logTail).toMatch(/the end$/);
    expect(JSON.stringify(phase.failure.logTail).length).toBeLessThanOrEqual(4098);
  });

  test("a reason that is not an agent's to give is an internal failure, and retried", async () => {
    const { task, start } = await startedTask();
    await fleet.agent.fail(start.attempt, "cancelled");
    const second = await fleet.agent.nextStart();
    await fleet.agent.fail(second.attempt, "queue_timeout");
    const third = await fleet.agent.nextStart();
    await fleet.agent.fail(third.attempt, "queue_timeout");
    expect((await endOf(task)).phase).toMatchObject({ kind: "failed", failure: { reason: "internal", attempts: 3 } });
  });

  test("a small result that is too large or is no text does not become a result", async () => {
    const { task, start } = await startedTask();
    const value = { $case: "inlineResult" as const, value: Buffer.from([0xff, 0xfe]) };
    await fleet.agent.report(start.attempt, { $case: "succeeded", value: { result: value } });
    expect((await endOf(task)).phase).toMatchObject({ failure: { reason: "bad_output" } });

    const large = await startedTask();
    await fleet.agent.succeed(large.start.attempt, "x".repeat(4097));
    const again = await fleet.agent.nextStart();
    expect(again.attempt?.number).toBe(2);
    await fleet.agent.succeed(again.attempt, "x".repeat(4096));
    expect((await endOf(large.task)).phase).toMatchObject({ kind: "succeeded", result: { bytes: 4096 } });
  });

  test("an absurd duration does not put the start before the creation", async () => {
    const { task, start } = await startedTask();
    const result = { $case: "inlineResult" as const, value: Buffer.from("1") };
    const outcome = { $case: "succeeded" as const, value: { result } };
    const report = { attempt: start.attempt, outcome, waitMs: 2n ** 64n - 1n, runMs: 2n ** 64n - 1n };
    fleet.agent.send({ $case: "attemptReports", value: { reports: [report] } });
    await fleet.agent.next("attemptAcks");
    const { phase, createdAt } = await endOf(task);
    if (phase.kind !== "succeeded") throw new Error(`it is ${phase.kind}`);
    expect(phase.startedAt).toBe(createdAt);
    expect(phase.finishedAt).toBeGreaterThanOrEqual(createdAt);
  });

  test("a result that was never uploaded is not believed", async () => {
    const { start } = await startedTask();
    const uploaded = { $case: "uploaded" as const, value: { sha256: "a".repeat(64), sizeBytes: 9_000n } };
    await fleet.agent.report(start.attempt, { $case: "succeeded", value: { result: uploaded } });
    const again = await fleet.agent.nextStart();
    expect(again.attempt?.number).toBe(2);
    await fleet.agent.succeed(again.attempt, "this time");
  });
});

test("many reports in one message are committed together and each is acknowledged", async () => {
  const tasks = await Promise.all(Array.from({ length: 8 }, () => createTask(fleet.coordinator.store, fleet.service)));
  const starts = await fleet.agent.nextStarts(8);
  const inline = { $case: "inlineResult" as const, value: Buffer.from("r") };
  const outcome = { $case: "succeeded" as const, value: { result: inline } };
  const reports = starts.map(({ attempt }) => ({ attempt, outcome, waitMs: 0n, runMs: 1n }));
  fleet.agent.send({ $case: "attemptReports", value: { reports } });
  let acked = 0;
  while (acked < 8) acked += (await fleet.agent.next("attemptAcks")).acks.length;
  const revisions = tasks.map(({ id }) => fleet.coordinator.store.view.tasks.get(id)?.revision);
  expect(new Set(revisions).size).toBe(1);
});

test("a task that is cancelled while it runs is cancelled at its agent", async () => {
  const { task, start } = await startedTask();
  const { store } = fleet.coordinator;
  const read = store.view.tasks.get(task.id);
  if (read === undefined) throw new Error("the task is gone");
  const failure = {
    reason: "cancelled",
    message: "m",
    retryable: false,
    attempts: 1,
    exitCode: null,
    logTail: "",
  } as const;
  await store.commit([replace("tasks", read, end(read.value, "cancelled", failure, 0, Date.now()))]);
  expect(await fleet.agent.nextCancel()).toEqual(start.attempt);
  expect((await fleet.agent.report(start.attempt, { $case: "cancelled", value: {} })).verdict).toBe(STALE);
});
