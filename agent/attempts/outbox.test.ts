import { readdirSync } from "node:fs";
import { type AttemptReport, AttemptVerdict } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { NO_TRACING } from "@elastic/std/tracing/tracing.ts";
import { afterAll, expect, test } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { startOf } from "../testing/orders.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { type Outbox, type ReportSender, startOutbox, type UploadVerdict } from "./outbox.ts";
import { openSpool } from "./spool.ts";

const log = createLog({ name: "test", level: "silent" });
const { ATTEMPT_VERDICT_COMMITTED: COMMITTED } = AttemptVerdict;

const UNLINKED: ReportSender = { linked: () => false, sendReports: () => false, uploadResult: async () => "retry" };

afterAll(removeTemporaryFolders);

test("has after a restart what no coordinator has acknowledged", async () => {
  const folder = temporaryFolder();
  const report = aReport();
  const before = await outboxOn(folder, UNLINKED);
  before.add(report);
  await before.stop();
  const sent: unknown[] = [];
  const after = await outboxOn(folder, {
    ...UNLINKED,
    linked: () => true,
    sendReports: (reports) => !!sent.push(...reports),
  });
  after.onLinked();
  expect(sent).toEqual([report]);
  await after.stop();
});

test("has put everything on disk when it has stopped, also what was on its way", async () => {
  const folder = temporaryFolder();
  const outbox = await outboxOn(folder, { ...UNLINKED, linked: () => true, sendReports: () => true });
  outbox.add(aReport());
  await outbox.stop();
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.outcome$/)]);
});

test("removes an outcome from the disk when it is acknowledged, and never sends it again", async () => {
  const folder = temporaryFolder();
  const report = aReport();
  const outbox = await outboxOn(folder, UNLINKED);
  outbox.add(report);
  await eventually("the spooled outcome", () => readdirSync(folder).some((name) => name.endsWith(".outcome")));
  outbox.acknowledge({ attempt: report.attempt, verdict: COMMITTED });
  await eventually("an empty spool", () => readdirSync(folder).length === 0);
  await outbox.stop();
  expect((await openSpool(folder, { outcomesMax: 10 }, log)).found).toEqual([]);
});

test("retains an outcome whose acknowledgement has a verdict that it does not know", async () => {
  const folder = temporaryFolder();
  const report = aReport();
  const outbox = await outboxOn(folder, UNLINKED);
  outbox.add(report);
  for (const verdict of [AttemptVerdict.ATTEMPT_VERDICT_UNSPECIFIED, 99 as AttemptVerdict]) {
    outbox.acknowledge({ attempt: report.attempt, verdict });
  }
  expect(outbox.refs()).toEqual([report.attempt]);
  outbox.acknowledge({ attempt: report.attempt, verdict: AttemptVerdict.ATTEMPT_VERDICT_STALE });
  expect(outbox.refs()).toEqual([]);
  await outbox.stop();
});

test("sends an outcome whose result is uploaded only once the upload is done, however often it is tried", async () => {
  const sent: AttemptReport[] = [];
  const uploads: UploadVerdict[] = [];
  const outbox = await outboxOn(temporaryFolder(), {
    linked: () => true,
    sendReports: (reports) => !!sent.push(...reports),
    uploadResult: async () => {
      expect(sent).toEqual([]);
      uploads.push(uploads.length === 0 ? "retry" : "done");
      return uploads.at(-1) ?? "retry";
    },
  });
  const value = { sha256: "1".repeat(64), sizeBytes: 10n };
  const outcome = { $case: "succeeded" as const, value: { result: { $case: "uploaded" as const, value } } };
  outbox.add({ ...aReport(), outcome });
  await expect.poll(() => sent.length, { timeout: 3_000 }).toBe(1);
  expect(uploads).toEqual(["retry", "done"]);
  await outbox.stop();
});

async function outboxOn(folder: string, sender: ReportSender): Promise<Outbox> {
  const spool = await openSpool(folder, { outcomesMax: 10 }, log);
  return startOutbox({ spool, sender, onCommitted: () => undefined, tracing: NO_TRACING, clock: systemClock, log });
}

function aReport() {
  const { attempt } = startOf("{}");
  const value = { reason: "prover_error", message: "no", logTail: "" };
  return { attempt, outcome: { $case: "failed" as const, value }, waitMs: 0n, runMs: 1n };
}
