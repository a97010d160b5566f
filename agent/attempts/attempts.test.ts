import { once } from "node:events";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { systemClock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { NO_TRACING } from "@elastic/std/tracing/tracing.ts";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { type AttemptKey, attemptKey } from "../domain/attempt-key.ts";
import type { Prover, ProverAnswer } from "../domain/driver.ts";
import { eventually } from "../testing/eventually.ts";
import { startOf } from "../testing/orders.ts";
import { failureOf } from "../testing/outcomes.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { createAttempts } from "./attempts.ts";
import type { Outbox } from "./outbox.ts";

const RESOURCES = { cpuMillis: 1_000, memoryBytes: 2 ** 31, pids: 512, tmpBytes: 2 ** 28 };

afterAll(removeTemporaryFolders);

test("what a prover says of its failure goes to the task's owner and not into the node's log", async () => {
  const message = `cannot use the witness ${"4711".repeat(1_000)}`;
  const { report, lines } = await failWith(message);
  expect(failureOf(report).message).toBe(message.slice(0, 1_000));
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain("4711");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    msg: "attempt failed",
    reason: "prover_error",
    exitCode: null,
    attempt: 1,
    messageChars: message.length,
  });
});

test("starts an attempt once, however often the order comes", async () => {
  const order = startOf("{}");
  const calls: string[] = [];
  const called = Promise.withResolvers<void>();
  const { attempts, reports } = attemptsOn({
    prove: async ({ taskId }) => {
      calls.push(taskId);
      await called.promise;
      return REFUSED;
    },
  });
  attempts.start([order, order]);
  attempts.start([order]);
  await eventually("the prover's call", () => calls.length > 0);
  called.resolve();
  await eventually("the report", () => reports.length > 0);
  attempts.start([order]);
  await attempts.stop();
  expect(calls).toEqual([order.taskId]);
});

test("ends an attempt that is cancelled, and reports it as such", async () => {
  const order = startOf("{}");
  const began = Promise.withResolvers<void>();
  const { attempts, reports } = attemptsOn({
    prove: async ({ signal }) => {
      began.resolve();
      await once(signal, "abort");
      return REFUSED;
    },
  });
  attempts.start([order]);
  await began.promise;
  if (order.attempt !== undefined) attempts.cancel(order.attempt);
  await expect.poll(() => reports.length, { timeout: 5_000 }).toBe(1);
  expect(reports.map(({ outcome }) => outcome?.$case)).toEqual(["cancelled"]);
  expect(attempts.running()).toBe(0);
});

test("reports nothing of an attempt that it gave up when contact was lost", async () => {
  const began = Promise.withResolvers<void>();
  const { attempts, reports, discarded } = attemptsOn({
    prove: async ({ signal }) => {
      began.resolve();
      await once(signal, "abort");
      return REFUSED;
    },
  });
  attempts.start([startOf("{}")]);
  await began.promise;
  attempts.fence();
  await eventually("the end of the attempt", () => discarded.length > 0);
  expect(reports).toEqual([]);
  expect(attempts.refs()).toEqual([]);
});

test("begins an attempt that it gave up again once that has ended, and reports how the second run ended", async () => {
  const ends: ((answer: ProverAnswer) => void)[] = [];
  const { attempts, reports } = attemptsOn({ prove: () => new Promise((resolve) => ends.push(resolve)) });
  const order = startOf("{}");
  attempts.start([order]);
  await eventually("the first run", () => ends.length === 1);
  attempts.fence();
  attempts.start([order]);
  ends[0]?.({ kind: "aborted", logTail: "" });
  await eventually("the second run", () => ends.length === 2);
  expect(reports).toEqual([]);
  expect(attempts.running()).toBe(1);
  ends[1]?.({ kind: "refused", message: "the second", logTail: "" });
  await eventually("the report", () => reports.length > 0);
  expect(reports.map((report) => failureOf(report).message)).toEqual(["the second"]);
});

const REFUSED: ProverAnswer = { kind: "refused", message: "no", logTail: "" };

/** One attempt on a prover that refuses its task with this message: what is reported and logged of it. */
async function failWith(message: string): Promise<{ readonly report: AttemptReport; readonly lines: string[] }> {
  const lines: string[] = [];
  const log = pino({}, new Writable({ write: (line, _, done) => done(void lines.push(`${line}`)) }));
  const { attempts, reports } = attemptsOn({ prove: async () => ({ ...REFUSED, message }) }, log);
  attempts.start([startOf("{}")]);
  await eventually("a line of the log", () => lines.length > 0 || undefined);
  const [report] = reports;
  if (report === undefined) throw new Error("the attempt was logged and not reported");
  return { report, lines };
}

/** Attempts on one prover, with what became of them. An outcome stays in the outbox, as without a coordinator. */
function attemptsOn(prover: Pick<Prover, "prove">, log: Logger = pino({ level: "silent" })) {
  const reports: AttemptReport[] = [];
  const discarded: AttemptKey[] = [];
  const outbox: Pick<Outbox, "add" | "has" | "drop" | "refs"> = {
    add: (report) => void reports.push(report),
    has: (key) => reports.some(({ attempt }) => attempt !== undefined && attemptKey(attempt) === key),
    drop: () => undefined,
    refs: () => [],
  };
  const attempts = createAttempts({
    workload: () => ({ spec: { resources: RESOURCES }, prover: () => prover as Prover, verifier: null }),
    fetchInput: () => ({ bytes: 0, inline: Buffer.alloc(0), open: async function* () {} }),
    resultPath: () => join(temporaryFolder(), "result"),
    discardResult: (key) => void discarded.push(key),
    outbox: outbox as Outbox,
    logs: { begin: () => ({ follow: () => undefined, release: () => undefined, end: () => undefined }) },
    progress: { report: () => undefined, forget: () => undefined },
    limits: () => ({ resultBytesMax: 1_000, inlineBytesMax: 1_000, logTailBytesMax: 1_000 }),
    onEnded: () => undefined,
    tracing: NO_TRACING,
    clock: systemClock,
    log,
  });
  return { attempts, reports, discarded };
}
