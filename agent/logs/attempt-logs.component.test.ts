/** Logs against a coordinator that a test plays, over the real contract, without provers around them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { BulkServiceClient } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { proverLog } from "../domain/prover-log.ts";
import type { TlsFiles } from "../domain/tls-files.ts";
import { channelsOf } from "../link/channel.ts";
import { makeTestCa } from "../testing/certificates.ts";
import { eventually } from "../testing/eventually.ts";
import { startOf } from "../testing/orders.ts";
import {
  type CoordinatorScript,
  type ScriptedCoordinator,
  scriptCoordinator,
} from "../testing/scripted-coordinator.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { type AttemptLogs, openAttemptLogs } from "./attempt-logs.ts";
import { type LogBudget, logBudget } from "./log-budget.ts";

let server: TlsFiles;
let node: TlsFiles;
const ends: (() => void | Promise<void>)[] = [];

beforeAll(() => {
  const ca = makeTestCa(join(temporaryFolder(), "ca"));
  server = ca.server();
  node = ca.node("n1");
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(removeTemporaryFolders);

async function coordinatorOf(script: CoordinatorScript = {}): Promise<ScriptedCoordinator> {
  const coordinator = await scriptCoordinator(server, script);
  ends.push(() => coordinator.kill());
  return coordinator;
}

interface Opened {
  readonly logs: AttemptLogs;
  readonly counted: { sent: number; dropped: number };
  readonly budget: LogBudget;
}

async function logsTo(
  coordinator: ScriptedCoordinator | null,
  given: { readonly folder?: string; readonly bytesMax?: number; readonly budget?: LogBudget } = {},
): Promise<Opened> {
  const client: BulkServiceClient | null = coordinator && channelsOf(node).bulk(coordinator.address);
  const counted = { sent: 0, dropped: 0 };
  const budget = given.budget ?? logBudget();
  const logs = await openAttemptLogs({
    folder: given.folder ?? join(temporaryFolder(), "logs"),
    open: () => client?.appendLogs() ?? null,
    bytesMax: () => given.bytesMax ?? 1 << 20,
    onSent: (bytes) => {
      counted.sent += bytes;
    },
    onDropped: (bytes) => {
      counted.dropped += bytes;
    },
    random: () => 0,
    clock: systemClock,
    log: createLog({ name: "test", level: "silent" }),
    budget,
  });
  ends.push(async () => {
    await logs.stop();
    client?.close();
  });
  return { logs, counted, budget };
}

function attemptOf(): AttemptRef & { readonly taskId: string } {
  const { attempt } = startOf("{}");
  if (attempt === undefined) throw new Error("a start names its attempt");
  return attempt;
}

/** An attempt whose prover writes the pieces, each in a separate turn. */
async function write(logs: AttemptLogs, attempt: AttemptRef, pieces: readonly string[], tail = ""): Promise<void> {
  const prover = proverLog();
  const running = logs.begin(attempt);
  running.follow(prover);
  for (const piece of pieces) {
    prover.write(Buffer.from(piece));
    await new Promise((resolve) => setImmediate(resolve));
  }
  running.release();
  running.end(tail);
}

const lines = (count: number) => Array.from({ length: count }, (_, line) => `line ${line}\n`);

test("sends what provers write completely and once, of many attempts at a time", async () => {
  const coordinator = await coordinatorOf();
  const { logs, counted, budget } = await logsTo(coordinator);
  const attempts = Array.from({ length: 30 }, attemptOf);
  await Promise.all(attempts.map((attempt, index) => write(logs, attempt, lines(100 * index + 1))));
  for (const [index, attempt] of attempts.entries()) {
    expect(await coordinator.log(attempt.taskId)).toBe(lines(100 * index + 1).join(""));
  }
  await eventually("nothing waits", () => logs.waitingBytes() === 0 || undefined);
  expect([counted.dropped, budget.memoryBytes]).toEqual([0, 0]);
});

test("a stream that breaks again and again loses and doubles nothing", async () => {
  const coordinator = await coordinatorOf({ breakLogsAfter: 2 });
  const { logs } = await logsTo(coordinator);
  const attempt = attemptOf();
  const text = "x".repeat(99).concat("\n");
  await write(
    logs,
    attempt,
    Array.from({ length: 8_000 }, () => text),
  );
  expect(await coordinator.log(attempt.taskId)).toBe(text.repeat(8_000));
});

test("while no coordinator responds logs wait on disk, and are sent by the next process", async () => {
  const folder = join(temporaryFolder(), "logs");
  const away = await logsTo(null, { folder });
  const attempts = [attemptOf(), attemptOf()];
  for (const attempt of attempts) await write(away.logs, attempt, lines(2_000));
  await eventually("the logs are on disk", () => readdirSync(folder).length === 2 || undefined);
  await eventually("memory is free", () => away.budget.memoryBytes === 0 || undefined);
  await away.logs.stop();

  const coordinator = await coordinatorOf();
  const back = await logsTo(coordinator, { folder });
  expect(back.logs.waitingBytes()).toBe(2 * lines(2_000).join("").length);
  back.logs.onLinked();
  for (const attempt of attempts) expect(await coordinator.log(attempt.taskId)).toBe(lines(2_000).join(""));
  await eventually("the folder is empty", () => readdirSync(folder).length === 0 || undefined);
});

test("resumes what an earlier process had sent in part where the coordinator is", async () => {
  const folder = join(temporaryFolder(), "logs");
  const away = await logsTo(null, { folder });
  const attempt = attemptOf();
  await write(away.logs, attempt, ["0123456789"]);
  await away.logs.stop();
  const coordinator = await coordinatorOf();
  coordinator.logs.set(attempt.taskId, { text: "01234", complete: false });
  (await logsTo(coordinator, { folder })).logs.onLinked();
  expect(await coordinator.log(attempt.taskId)).toBe("0123456789");
});

test("a coordinator that has lost what it acknowledged gets no log with a hole", async () => {
  const coordinator = await coordinatorOf();
  const { logs, counted } = await logsTo(coordinator);
  const attempt = attemptOf();
  const prover = proverLog();
  const running = logs.begin(attempt);
  running.follow(prover);
  prover.write(Buffer.from("0123456789"));
  await eventually("the first part is acknowledged", () => counted.sent === 10 || undefined);
  coordinator.logs.set(attempt.taskId, { text: "0123", complete: false });
  prover.write(Buffer.from("abc"));
  await eventually("the rest is abandoned", () => counted.dropped === 3 || undefined);
  running.end("");
  expect(coordinator.logs.get(attempt.taskId)).toEqual({ text: "0123", complete: false });
  expect(logs.waitingBytes()).toBe(0);
});

test("bounds memory: cuts and counts what has no room, while the attempt continues", async () => {
  const budget = logBudget({ memoryBytesMax: 100_000, diskBytesMax: 0 });
  const { logs, counted } = await logsTo(null, { budget });
  await write(logs, attemptOf(), ["x".repeat(90_000), "y".repeat(20_000), "z"]);
  await write(logs, attemptOf(), ["z".repeat(20_000)]);
  expect(counted.dropped).toBe(40_001);
  expect(budget.memoryBytes).toBeLessThan(101_000);
});

test("before memory is full what waits goes to disk", async () => {
  const budget = logBudget({ memoryBytesMax: 100_000 });
  const { logs, counted } = await logsTo(null, { budget });
  for (let index = 0; index < 10; index += 1) {
    await write(logs, attemptOf(), ["x".repeat(60_000)]);
    await eventually("memory is free", () => budget.memoryBytes === 0 || undefined);
  }
  expect([counted.dropped, logs.waitingBytes()]).toEqual([0, 600_000]);
});

test("an attempt whose prover writes nothing costs no message and no file", async () => {
  const coordinator = await coordinatorOf();
  const { logs } = await logsTo(coordinator);
  const [silent, talking] = [attemptOf(), attemptOf()];
  await write(logs, silent, []);
  await write(logs, talking, ["x"]);
  await coordinator.log(talking.taskId);
  expect(coordinator.logs.has(silent.taskId)).toBe(false);
});

test("of an attempt that never reached its prover the failure's tail is the log", async () => {
  const coordinator = await coordinatorOf();
  const { logs } = await logsTo(coordinator);
  const attempt = attemptOf();
  logs.begin(attempt).end("cannot load the keys\n");
  expect(await coordinator.log(attempt.taskId)).toBe("cannot load the keys\n");
});

test("stores no logs where a coordinator accepts none", async () => {
  const { logs } = await logsTo(null, { bytesMax: 0 });
  await write(logs, attemptOf(), ["x".repeat(1000)], "tail");
  expect(logs.waitingBytes()).toBe(0);
});
