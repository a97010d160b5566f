import { join } from "node:path";
import { Writable } from "node:stream";
import type { AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import type { Prover } from "../domain/driver.ts";
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

/** One attempt on a prover that refuses its task with this message: what is reported and logged of it. */
async function failWith(message: string): Promise<{ readonly report: AttemptReport; readonly lines: string[] }> {
  const reports: AttemptReport[] = [];
  const lines: string[] = [];
  const log = pino({}, new Writable({ write: (line, _, done) => done(void lines.push(`${line}`)) }));
  const outbox = { add: (report: AttemptReport) => void reports.push(report), has: () => false };
  const prover = { prove: async () => ({ kind: "refused", message, logTail: "" }) } as unknown as Prover;
  const attempts = createAttempts({
    workload: () => ({ spec: { resources: RESOURCES }, prover: () => prover, verifier: null }),
    fetchInput: () => ({ bytes: 0, inline: Buffer.alloc(0), open: async function* () {} }),
    resultPath: () => join(temporaryFolder(), "result"),
    discardResult: () => undefined,
    outbox: outbox as unknown as Outbox,
    logs: { begin: () => ({ follow: () => undefined, release: () => undefined, end: () => undefined }) },
    progress: { report: () => undefined, forget: () => undefined },
    limits: () => ({ resultBytesMax: 1_000, inlineBytesMax: 1_000, logTailBytesMax: 1_000 }),
    onEnded: () => undefined,
    clock: systemClock,
    log,
  });
  attempts.start([startOf("{}")]);
  await eventually("a line of the log", () => lines.length > 0 || undefined);
  const [report] = reports;
  if (report === undefined) throw new Error("the attempt was logged and not reported");
  return { report, lines };
}
