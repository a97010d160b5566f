import type { AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { AttemptReports } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { batches } from "./report-batches.ts";

function reportOf(taskId: string, bytes: number, failed: boolean): { report: AttemptReport } {
  const attempt = { taskId, number: 1, token: { storeEpoch: 1n, revision: 1n } };
  const outcome: AttemptReport["outcome"] = failed
    ? { $case: "failed", value: { reason: "prover_error", message: "", logTail: "ü".repeat(bytes / 2) } }
    : { $case: "succeeded", value: { result: { $case: "inlineResult", value: Buffer.alloc(bytes) } } };
  return { report: { attempt, outcome, waitMs: 0n, runMs: 0n } };
}

test("every report is in one message, in order, and no message is too large for a receiver", () => {
  const report = fc.tuple(fc.nat(4_096), fc.boolean());
  fc.assert(
    fc.property(fc.array(report, { maxLength: 2_000, size: "max" }), (sizes) => {
      const entries = sizes.map(([bytes, failed], index) => reportOf(`${index}`, bytes, failed));
      const messages = [...batches(entries)];
      expect(messages.flat()).toEqual(entries);
      for (const message of messages) {
        const reports = message.map((entry) => entry.report);
        expect(reports.length).toBeLessThanOrEqual(500);
        expect(AttemptReports.encode({ reports }).finish().length).toBeLessThan(2 * 1024 * 1024);
      }
    }),
    { numRuns: 20 },
  );
});
