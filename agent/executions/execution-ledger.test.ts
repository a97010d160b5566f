import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseLine } from "../../test/checker/parse-line.ts";
import type { Driver, FoundWorkload, Prover, ProverAnswer, ProverCall, ProverEnd } from "../domain/driver.ts";
import { proverLog } from "../domain/prover-log.ts";
import { specOf, type WorkloadSpec } from "../domain/workload-spec.ts";
import { assignmentOf, startOf } from "../testing/orders.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { type LedgerOptions, openExecutionLedger } from "./execution-ledger.ts";
import { recordExecutions } from "./record-executions.ts";

afterAll(removeTemporaryFolders);

const END: ProverEnd = { exitCode: 0, signal: null, outOfMemory: false, byAgent: true };
const never = new AbortController().signal;
const order = startOf("{}");
const call: ProverCall = {
  taskId: order.taskId,
  serviceId: order.serviceId,
  ...(order.attempt === undefined ? {} : { attempt: order.attempt }),
  input: { bytes: 0, inline: Buffer.alloc(0), open: async function* () {} },
  output: { write: () => undefined },
  signal: never,
  onCalled: () => undefined,
  onProgress: () => undefined,
};

test("has the start and the end of a workload, and of an attempt from its call on", async () => {
  const { ledger, lines } = ledgerIn(temporaryFolder());
  const end = Promise.withResolvers<ProverEnd>();
  const prover = await recordExecutions(driverOf(proverThat(end.promise)), ledger).start(
    spec(),
    () => undefined,
    never,
  );
  await prover.prove(call);
  end.resolve(END);
  await prover.ended;
  const ofWorkload = { run: "s1-1", holder: "a1", node: "n1" };
  const { number: attempt } = order.attempt ?? {};
  const token = Number(order.attempt?.token?.revision);
  const ofAttempt = { run: "s1-2", holder: order.taskId, node: "n1", attempt, token, store_epoch: 1 };
  expect(lines()).toMatchObject([
    { kind: "marker", name: "agent-started", node: "n1" },
    { ...ofWorkload, type: "start", uses: ["GPU-1", "prover of a1"] },
    { ...ofAttempt, type: "start", uses: [], workload: "a1" },
    { ...ofAttempt, type: "finish" },
    { ...ofWorkload, type: "finish" },
  ]);
  const times = lines().map((line) => ("at" in line ? (line.at ?? 0) : 0));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test("has nothing of a call that did not reach the prover, or that verifies a result", async () => {
  const { ledger, lines } = ledgerIn(temporaryFolder());
  const unreached = { ...proverThat(Promise.resolve(END)), prove: async (): Promise<ProverAnswer> => ABORTED };
  const prover = await recordExecutions(driverOf(unreached), ledger).start(spec(), () => undefined, never);
  await prover.prove(call);
  const { attempt: _, ...verifying } = call;
  await prover.prove(verifying);
  expect(lines().filter((line) => line.kind === "execution" && line.holder === order.taskId)).toEqual([]);
});

test("has the end of a workload that failed to start, and of one that could not be adopted", async () => {
  const { ledger, lines } = ledgerIn(temporaryFolder());
  const found: FoundWorkload = {
    ...{ assignmentId: "a1", handle: "c1" },
    adopt: async () => null,
    remove: async () => undefined,
  };
  const driver = recordExecutions(
    {
      name: "docker",
      find: async () => [found],
      start: async () => {
        throw new Error("no image");
      },
    },
    ledger,
  );
  await expect(driver.start(spec(), () => undefined, never)).rejects.toThrow("no image");
  expect(await (await driver.find())[0]?.adopt(spec(), never)).toBeNull();
  const types = lines().flatMap((line) => (line.kind === "execution" ? [line.type] : []));
  expect(types).toEqual(["start", "finish", "start", "finish"]);
});

test("is appended to by the next process, and begins a new file where it is full", () => {
  const folder = temporaryFolder();
  const first = ledgerIn(folder);
  first.ledger.begin({ holder: "a1", uses: [] });
  first.ledger.close();
  const second = ledgerIn(folder, { sessionId: "s2", bytesMax: 1_000 });
  for (let n = 0; n < 5; n += 1) second.ledger.begin({ holder: `b${n}`, uses: [] })();
  second.ledger.close();
  const before = readFileSync(`${second.file}.1`, "utf8");
  expect(before.length).toBeLessThanOrEqual(1_000);
  expect(readFileSync(second.file, "utf8").length).toBeLessThanOrEqual(1_000);
  expect(second.lines().at(-1)).toMatchObject({ run: "s2-5", type: "finish" });
});

test("begins a new line after one that a crash of the machine has cut", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "ledger.jsonl"), '{"kind":"exec');
  const { ledger, file } = ledgerIn(folder);
  ledger.close();
  const [cut, ...lines] = readFileSync(file, "utf8").split("\n");
  expect(cut).toBe('{"kind":"exec');
  expect(lines.flatMap(parseLine)).toMatchObject([{ kind: "marker", name: "agent-started" }]);
});

test("stops no work where it cannot be written, and says so once", () => {
  const folder = temporaryFolder();
  const warned: object[] = [];
  const { ledger, file } = ledgerIn(folder, { bytesMax: 1, log: { warn: (about: object) => warned.push(about) } });
  // What is in the way of the full file.
  mkdirSync(join(`${file}.1`, "folder"), { recursive: true });
  ledger.begin({ holder: "a1", uses: [] })();
  expect(warned).toMatchObject([{ file }]);
  ledger.close();
  ledger.begin({ holder: "a2", uses: [] })();
  expect(readFileSync(file, "utf8")).toMatch(/^.*"agent-started".*\n$/);
});

test("rejects a file that cannot be opened", () => {
  const folder = join(temporaryFolder(), "missing");
  expect(() => ledgerIn(folder)).toThrow("ENOENT");
  expect(existsSync(folder)).toBe(false);
});

const ABORTED: ProverAnswer = { kind: "aborted", logTail: "" };

function ledgerIn(folder: string, more: Partial<LedgerOptions> = {}) {
  const file = join(folder, "ledger.jsonl");
  const log = { warn: () => undefined };
  const ledger = openExecutionLedger({ file, nodeId: "n1", sessionId: "s1", log, ...more });
  return { file, ledger, lines: () => readFileSync(file, "utf8").split("\n").flatMap(parseLine) };
}

function proverThat(ended: Promise<ProverEnd>): Prover {
  return {
    log: proverLog(),
    ended,
    idle: async () => undefined,
    stop: async () => undefined,
    prove: async ({ onCalled }) => {
      onCalled();
      return { kind: "responded" };
    },
  };
}

function driverOf(prover: Prover): Driver {
  return { name: "builtin", find: async () => [], start: async () => prover };
}

function spec(): WorkloadSpec {
  const made = specOf(assignmentOf("builtin:scripted", { gpuUuids: ["GPU-1"] }));
  if (made === null) throw new Error("the assignment is not understood");
  return made;
}
