import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { LogChunk } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { afterFailedAttempt, afterLostNode } from "../domain/retry.ts";
import { claim, type Task } from "../domain/task.ts";
import { aTask, TEAM } from "../domain/testing/records.ts";
import { mayAppend } from "./append-logs.ts";
import { LOG_GRACE_MS, LOG_NOTES_BYTES_MAX } from "./limits.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import { createTask, LOG_BYTES_MAX } from "./testing/fleet-fixture.ts";
import { type ReadyFleet, startReadyFleet, startThief } from "./testing/ready-fleet.ts";

let fleet: ReadyFleet;
let thief: FakeAgent;
beforeAll(async () => {
  fleet = await startReadyFleet({ limits: { concurrency: 20 } });
  thief = await startThief(fleet);
});
afterAll(() => fleet.fixture.close());

async function startedAttempt(): Promise<AttemptRef> {
  await createTask(fleet.coordinator.store, fleet.service);
  const { attempt } = await fleet.agent.nextStart();
  if (attempt === undefined) throw new Error("the start names no attempt");
  return attempt;
}

function chunk(attempt: AttemptRef, offset: number, text: string | Buffer, last = false): LogChunk {
  return { attempt, offset: BigInt(offset), data: Buffer.from(text), last };
}

function refOf({ taskId, number }: AttemptRef) {
  return { teamId: TEAM, taskId, attempt: number };
}

async function kept(attempt: AttemptRef): Promise<string> {
  return String(await fleet.fixture.logs.read(refOf(attempt), 0, 1 << 20));
}

describe("the log of a running attempt", () => {
  test("is stored piece by piece, and every piece is acknowledged with how much there is", async () => {
    const attempt = await startedAttempt();
    const other = await startedAttempt();
    const acks = await fleet.agent.bulk.appendLogs(
      [chunk(attempt, 0, "one "), chunk(other, 0, "other"), chunk(attempt, 4, "two ")],
      [chunk(attempt, 8, "three")],
    );
    expect(acks.map(({ keptBytes, refused }) => [keptBytes, refused])).toEqual([
      [4n, false],
      [5n, false],
      [8n, false],
      [13n, false],
    ]);
    expect([await kept(attempt), await kept(other)]).toEqual(["one two three", "other"]);
    expect(
      await fleet.coordinator.metrics.registry.getSingleMetricAsString("elastic_task_log_appended_bytes_total"),
    ).toMatch(/ 18$/);
  });

  test("has no piece twice, and no hole", async () => {
    const attempt = await startedAttempt();
    await fleet.agent.bulk.appendLogs([chunk(attempt, 0, "0123")]);
    const acks = await fleet.agent.bulk.appendLogs([
      chunk(attempt, 2, "2345"),
      chunk(attempt, 9, "beyond"),
      chunk(attempt, 0, "01"),
    ]);
    expect(acks.map(({ keptBytes }) => keptBytes)).toEqual([6n, 6n, 6n]);
    expect(await kept(attempt)).toBe("012345");
  });

  test("is complete with its last piece, and takes none after it", async () => {
    const attempt = await startedAttempt();
    await fleet.agent.bulk.appendLogs([chunk(attempt, 0, "all", true)]);
    expect(await fleet.fixture.logs.state(refOf(attempt))).toEqual({ bytes: 3, complete: true });
    const [again, more] = await fleet.agent.bulk.appendLogs([
      chunk(attempt, 0, "all", true),
      chunk(attempt, 3, "more"),
    ]);
    expect([again?.refused, more?.refused]).toEqual([false, true]);
    expect(await kept(attempt)).toBe("all");
  });

  test("returns how much is stored for an empty piece, which creates no file", async () => {
    const attempt = await startedAttempt();
    const [ack] = await fleet.agent.bulk.appendLogs([chunk(attempt, 0, "")]);
    expect(ack).toMatchObject({ keptBytes: 0n, refused: false });
    expect(await fleet.fixture.logs.state(refOf(attempt))).toBeNull();
  });

  test("takes a line on its cut beyond its limit, and nothing further", async () => {
    const attempt = await startedAttempt();
    const acks = await fleet.agent.bulk.appendLogs([
      chunk(attempt, 0, Buffer.alloc(LOG_BYTES_MAX, "x")),
      chunk(attempt, LOG_BYTES_MAX, Buffer.alloc(LOG_NOTES_BYTES_MAX, "n")),
      chunk(attempt, LOG_BYTES_MAX + LOG_NOTES_BYTES_MAX, "y"),
    ]);
    expect(acks.map(({ refused }) => refused)).toEqual([false, false, true]);
  });

  test("is taken from the node that runs it alone, under the token of its claim", async () => {
    const attempt = await startedAttempt();
    const token = { storeEpoch: 0n, revision: 1n, ...attempt.token };
    const forged = [
      { ...attempt, number: 2 },
      { ...attempt, token: { ...token, revision: token.revision + 1n } },
      { ...attempt, token: { ...token, storeEpoch: token.storeEpoch + 1n } },
      { ...attempt, taskId: "0".repeat(32) },
      { ...attempt, taskId: "../../x" },
    ];
    const refused = await fleet.agent.bulk.appendLogs(forged.map((each) => chunk(each, 0, "x")));
    expect(refused.map((ack) => ack.refused)).toEqual(forged.map(() => true));
    const [stolen] = await thief.bulk.appendLogs([chunk(attempt, 0, "x")]);
    expect(stolen?.refused).toBe(true);
    expect(await kept(attempt)).toBe("");
  });
});

test("the rest of a log is taken after its attempt's report, also when the task is being tried again", async () => {
  const attempt = await startedAttempt();
  await fleet.agent.fail(attempt, "gpu_fault");
  const second = (await fleet.agent.nextStart()).attempt;
  expect(second).toMatchObject({ taskId: attempt.taskId, number: 2 });
  await fleet.agent.bulk.appendLogs([chunk(attempt, 0, "first", true)]);
  if (second === undefined) throw new Error("no second attempt came");
  await fleet.agent.succeed(second, "r");
  await fleet.agent.bulk.appendLogs([chunk(second, 0, "second", true)]);
  expect([await kept(attempt), await kept(second)]).toEqual(["first", "second"]);
});

test("a caller whose certificate names no node is refused", async () => {
  const nameless = fleet.fixture.agent(fleet.coordinator, "-no-name-");
  await expect(nameless.bulk.appendLogs([])).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
});

describe("who may write to the log of an attempt that is over", () => {
  const running = claim(aTask({ id: "s" }, {}), { nodeId: "a", sessionId: "s", assignmentId: "w" }, 1_000);
  const failed = { reason: "gpu_fault", message: "", exitCode: null, logTail: "", runMs: 0 } as const;
  const named = { taskId: running.id, number: 1, storeEpoch: 1, revision: 7 };
  const may = (task: Task, nodeId: string, now: number, storeEpoch = 1) =>
    mayAppend({ value: task, revision: 8 }, named, { nodeId, storeEpoch, now });
  const over = afterFailedAttempt(running, failed, 2_000);

  test("its node, for as long as the grace", () => {
    expect(may(over, "a", 2_000 + LOG_GRACE_MS)).toBe(true);
    expect(may(over, "a", 2_001 + LOG_GRACE_MS)).toBe(false);
  });

  test("no other node, nor the same in another epoch of the store", () => {
    expect(may(over, "b", 2_000)).toBe(false);
    expect(may(over, "a", 2_000, 2)).toBe(false);
  });

  test("nobody once its node was lost", () => {
    expect(may(afterLostNode(running, 2_000), "a", 2_000)).toBe(false);
  });
});
