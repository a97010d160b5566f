/** The ledger of an agent that is killed, and started again, as the checker of histories judges it. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { afterAll, afterEach, expect, test } from "vitest";
import { historyOf } from "../../test/checker/history.ts";
import type { HistoryLine } from "../../test/checker/history-line.ts";
import { judge } from "../../test/checker/judge.ts";
import { parseLine } from "../../test/checker/parse-line.ts";
import { agentEnv, MAIN } from "../testing/agent-process.ts";
import { eventually } from "../testing/eventually.ts";
import { assignmentOf, startOf } from "../testing/orders.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { TestFleet } from "../testing/test-fleet.ts";

const fleet = new TestFleet();
afterEach(() => fleet.end());
afterAll(removeTemporaryFolders);

const LONG = '{"ms":600000}';

test("has what a killed agent ran as begun and never finished, and the next process as a new beginning", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "ledger.jsonl");
  const coordinator = await fleet.coordinator();
  const env = {
    ...agentEnv(fleet.ca.node("n1"), coordinator.address, join(folder, "state")),
    ELASTIC_EXECUTION_LEDGER: file,
  };
  const order = startOf(LONG);
  const first = fleet.agentProcess(env);
  await coordinator.linked();
  coordinator.assign([assignmentOf("builtin:sleep")]);
  await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  coordinator.start([order]);
  await eventually("the attempt in the ledger", () => linesOf(file, order.taskId).length === 1 || undefined);
  await first.kill();
  fleet.agentProcess(env);
  await eventually("another hello", () => coordinator.hellos.length === 2 || undefined);
  coordinator.assign([assignmentOf("builtin:sleep")]);
  await eventually("the workload of the next process", () => linesOf(file, "a1").length === 2 || undefined);
  // The same attempt, which is current still.
  coordinator.start([order]);
  await eventually("the second run in the ledger", () => linesOf(file, order.taskId).length === 2 || undefined);

  const lines = readLedger(file);
  expect(lines.flatMap((line) => (line.kind === "marker" ? [line.name] : []))).toEqual([
    "agent-started",
    "agent-started",
  ]);
  expect(lines.filter((line) => line.kind === "execution").map(({ type }) => type)).toEqual(Array(4).fill("start"));
  expect(exclusive(lines)).toEqual([]);
  // Without that beginning the two would have been at once.
  expect(exclusive(lines.filter(({ kind }) => kind !== "marker")).join("\n")).toMatch(
    /prover of a1 of n1: 2 of 1(.|\n)*attempt 1 of task \w+ ran 2 times at once/,
  );
});

test("refuses to start with a ledger that it cannot open", async () => {
  const missing = join(temporaryFolder(), "missing", "ledger.jsonl");
  const env = { ...agentEnv(fleet.ca.node("n1"), "127.0.0.1:1", join(temporaryFolder(), "state")) };
  const run = promisify(execFile)(process.execPath, [MAIN, "run"], {
    env: { ...env, ELASTIC_EXECUTION_LEDGER: missing },
  });
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/ELASTIC_EXECUTION_LEDGER: the file cannot be appended to: ENOENT.*missing/),
  });
});

function readLedger(file: string): readonly HistoryLine[] {
  return readFileSync(file, "utf8").split("\n").flatMap(parseLine);
}

function linesOf(file: string, holder: string): readonly HistoryLine[] {
  return readLedger(file).filter((line) => line.kind === "execution" && line.holder === holder);
}

function exclusive(lines: readonly HistoryLine[]): readonly string[] {
  const { history } = historyOf(lines.map((line) => ({ ...line, place: null })));
  const found = judge(history).find(({ name }) => name === "exclusive");
  return (found?.violations ?? []).map(({ sentence }) => sentence);
}
