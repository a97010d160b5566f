import { COORDINATOR_FAILURE_REASONS, FAILURE_REASONS } from "@elastic/proto/failure-reasons.ts";
import { expect, test } from "vitest";
import { reportOf } from "./report.ts";

const ATTEMPT = { taskId: "0123456789abcdef0123456789abcdef", number: 1, token: { storeEpoch: 1n, revision: 2n } };
const reasons = FAILURE_REASONS.flatMap((reason) =>
  reason === COORDINATOR_FAILURE_REASONS[0] || reason === COORDINATOR_FAILURE_REASONS[1] ? [] : [reason],
);

test.each(reasons)("reports the failure reason %s to coordinators by its name in the contract", (reason) => {
  const outcome = { kind: "failed", reason, message: "it failed", exitCode: null, logTail: "" } as const;
  expect(reportOf(ATTEMPT, { outcome, waitMs: 1, runMs: 2 }, 100).outcome).toEqual({
    $case: "failed",
    value: { reason, message: "it failed", logTail: "" },
  });
});

test("cuts a long message to 1,000 characters", () => {
  const outcome = { kind: "failed", reason: "internal", message: "m".repeat(2_000), exitCode: 1, logTail: "" } as const;
  const report = reportOf(ATTEMPT, { outcome, waitMs: 1, runMs: 2 }, 100);
  expect(report.outcome?.$case === "failed" && report.outcome.value.message).toHaveLength(1_000);
});
