/** What a test wants to know of a report. */
import type { AttemptFailed, AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";

/** The result that rode in the report; undefined when it did not. */
export function resultText(report: AttemptReport): string | undefined {
  if (report.outcome?.$case !== "succeeded" || report.outcome.value.result?.$case !== "inlineResult") return undefined;
  return report.outcome.value.result.value.toString("utf8");
}

/** Throws when the attempt did not fail. */
export function failureOf(report: AttemptReport): AttemptFailed {
  if (report.outcome?.$case !== "failed") throw new Error(`the attempt ${report.outcome?.$case}, it did not fail`);
  return report.outcome.value;
}
