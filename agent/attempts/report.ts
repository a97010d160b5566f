/** An ended attempt in the words of the contract. */
import type { AttemptRef, AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { tailText } from "../domain/log-tail.ts";
import type { Outcome } from "./outcome.ts";
import type { EndedAttempt } from "./run-attempt.ts";

/** Longer messages are cut: they ride in records of limited size. */
const MESSAGE_CHARS_MAX = 1_000;

export function reportOf(attempt: AttemptRef, ended: EndedAttempt, logTailBytesMax: number): AttemptReport {
  return {
    attempt,
    outcome: wireOutcome(ended.outcome, logTailBytesMax),
    waitMs: BigInt(Math.round(ended.waitMs)),
    runMs: BigInt(Math.round(ended.runMs)),
  };
}

function wireOutcome(outcome: Outcome, logTailBytesMax: number): AttemptReport["outcome"] {
  switch (outcome.kind) {
    case "succeeded":
      return { $case: "succeeded", value: { result: wireResult(outcome.result) } };
    case "cancelled":
      return { $case: "cancelled", value: {} };
    case "failed": {
      const { reason, exitCode } = outcome;
      const logTail = tailText(Buffer.from(outcome.logTail), logTailBytesMax);
      const failed = { reason, message: outcome.message.slice(0, MESSAGE_CHARS_MAX), logTail };
      return { $case: "failed", value: exitCode === null ? failed : { ...failed, exitCode } };
    }
  }
}

type SucceededResult = Extract<Outcome, { kind: "succeeded" }>["result"];
type WireResult = Extract<NonNullable<AttemptReport["outcome"]>, { $case: "succeeded" }>["value"]["result"];

function wireResult(result: SucceededResult): WireResult {
  if (result.kind === "inline") return { $case: "inlineResult", value: result.text };
  return { $case: "uploaded", value: { sha256: result.sha256, sizeBytes: BigInt(result.bytes) } };
}
