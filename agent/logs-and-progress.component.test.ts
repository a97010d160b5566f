/** A complete agent with builtin provers: what they write and how far they are, as coordinators come to know it. */
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { afterAll, afterEach, expect, test } from "vitest";
import { eventually } from "./testing/eventually.ts";
import { assignmentOf, startOf } from "./testing/orders.ts";
import { failureOf } from "./testing/outcomes.ts";
import type { CoordinatorScript, ScriptedCoordinator } from "./testing/scripted-coordinator.ts";
import { removeTemporaryFolders } from "./testing/temporary-folder.ts";
import { TestFleet } from "./testing/test-fleet.ts";

const fleet = new TestFleet();
afterEach(() => fleet.end());
afterAll(removeTemporaryFolders);

function coordinatorOf(script: CoordinatorScript = {}): Promise<ScriptedCoordinator> {
  return fleet.coordinator({ logBytesMax: 1 << 20, ...script });
}

async function linkAgent(...coordinators: readonly ScriptedCoordinator[]): Promise<void> {
  await fleet.agent(coordinators.map(({ address }) => address));
  for (const coordinator of coordinators) await coordinator.linked();
}

async function readyWith(image: string, concurrency = 1, script: CoordinatorScript = {}): Promise<ScriptedCoordinator> {
  const coordinator = await coordinatorOf(script);
  await linkAgent(coordinator);
  coordinator.assign([assignmentOf(image, { concurrency })]);
  await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  return coordinator;
}

const lines = (count: number) => Array.from({ length: count }, (_, line) => `line ${line + 1}\n`).join("");

test("each task's log is what its prover wrote for it, also when one follows upon the other", async () => {
  const coordinator = await readyWith("builtin:sleep");
  const seen: [number, string][] = [];
  for (const count of [300, 1, 20, 5_000]) {
    const start = startOf(`{"ms":30,"lines":${count}}`);
    coordinator.start([start]);
    await coordinator.report(start.taskId);
    // The next one begins before the log of this one has come.
    void coordinator.log(start.taskId).then((log) => seen.push([count, log]));
  }
  await eventually("all logs", () => seen.length === 4 || undefined);
  for (const [count, log] of seen) expect(log).toBe(lines(count));
});

test("a log comes while its task still runs", async () => {
  const coordinator = await readyWith("builtin:sleep");
  const start = startOf('{"ms":600000,"lines":600000}');
  coordinator.start([start]);
  await eventually("lines", () => coordinator.logs.get(start.taskId)?.text.includes("line 100\n") || undefined);
  if (start.attempt !== undefined) coordinator.cancel(start.attempt);
  const log = await coordinator.log(start.taskId);
  expect(log).toBe(lines(log.split("\n").length - 1));
});

test("beyond its limit a log is cut, and the task ends as if nothing were", async () => {
  const coordinator = await readyWith("builtin:sleep", 1, { logBytesMax: 10_000 });
  const start = startOf('{"ms":1,"lines":200000}');
  coordinator.start([start]);
  expect((await coordinator.report(start.taskId)).outcome?.$case).toBe("succeeded");
  const log = await coordinator.log(start.taskId);
  expect(log.slice(0, 10_000)).toBe(lines(5_000).slice(0, 10_000));
  expect(log.slice(10_000).trim()).toBe("… log cut at 10000 bytes: the rest of it is dropped");
});

test("reports the end of the same log as the tail of a failure", async () => {
  const coordinator = await readyWith("builtin:sleep");
  const start = startOf('{"ms":600000,"lines":6000000}', { runTimeoutMs: 3_000 });
  coordinator.start([start]);
  const { reason, logTail } = failureOf(await coordinator.report(start.taskId));
  expect(reason).toBe("run_timeout");
  expect(Buffer.byteLength(logTail)).toBeGreaterThan(1_000);
  expect((await coordinator.log(start.taskId)).endsWith(logTail)).toBe(true);
});

test("gives tasks that overlap in a prover its complete log, and a line that says so", async () => {
  const coordinator = await readyWith("builtin:sleep", 2);
  const starts = [startOf('{"ms":2000,"lines":30}'), startOf('{"ms":2000,"lines":30}')];
  coordinator.start(starts);
  const logs = await Promise.all(starts.map(({ taskId }) => coordinator.log(taskId)));
  for (const log of logs) {
    expect(log).toContain("… other tasks ran in this prover at the same time");
    expect(log.split("\n").filter((line) => line === "line 15")).toHaveLength(2);
  }
});

test("a coordinator that takes no logs holds up neither tasks nor heartbeats, and gets them all once it does", async () => {
  const coordinator = await readyWith("builtin:sleep", 1, { takesLogs: false });
  const starts = Array.from({ length: 5 }, () => startOf('{"ms":1,"lines":20000}'));
  for (const start of starts) {
    coordinator.start([start]);
    await coordinator.report(start.taskId);
  }
  coordinator.script.takesLogs = true;
  coordinator.breakLogs();
  for (const start of starts) expect(await coordinator.log(start.taskId)).toBe(lines(20_000));
});

test("reports progress to every coordinator, and to one that is linked again", async () => {
  const [first, second] = [await coordinatorOf({ coordinatorId: "c1" }), await coordinatorOf({ coordinatorId: "c2" })];
  await linkAgent(first, second);
  first.assign([assignmentOf("builtin:sleep")]);
  await first.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  const start = startOf('{"ms":600000}');
  first.start([start]);
  for (const coordinator of [first, second]) {
    const reported = await eventually("progress", () => coordinator.progress.get(start.taskId));
    expect(reported.attempt).toEqual(start.attempt);
    expect(reported.fraction).toBeGreaterThan(0);
    expect(reported.fraction).toBeLessThan(0.1);
  }
});
