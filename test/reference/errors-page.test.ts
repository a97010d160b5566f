import { FAILURE_REASONS, type FailureReason } from "@elastic/coordinator/domain/failure.ts";
import { afterFailedAttempt } from "@elastic/coordinator/domain/retry.ts";
import { claim } from "@elastic/coordinator/domain/task.ts";
import { aTask } from "@elastic/coordinator/domain/testing/records.ts";
import { expect, test } from "vitest";
import { errorsPage } from "./errors-page.ts";

const AT = { nodeId: "node-a", sessionId: "session-1", assignmentId: "a".repeat(32) };

/** How many attempts a task has when every one ends with the reason. */
function attemptsWith(reason: FailureReason): number {
  let task = aTask({ id: "5".repeat(32) });
  while (task.phase.kind === "queued") {
    const failed = { reason, message: "", exitCode: null, logTail: "", runMs: 0 };
    task = afterFailedAttempt(claim(task, AT, 10), failed, 20);
  }
  return task.attempts.started;
}

function retriesOnThePage(reason: FailureReason): string {
  const row = errorsPage()
    .split("\n")
    .find((line) => line.startsWith(`| \`${reason}\` | \``));
  return row?.split(" | ")[2] ?? "";
}

const SHOWN: Readonly<Record<number, RegExp>> = {
  1: /^no$|^`prover_retries` times, by default 0$/,
  3: /^yes, up to 3 attempts$/,
  6: /^yes, after up to 5 losses/,
};

// It ends tasks that wait, so no attempt ends with it.
test.each(FAILURE_REASONS.filter((reason) => reason !== "queue_timeout"))(
  "shows how often a task is retried after %s",
  (reason) => {
    expect(retriesOnThePage(reason)).toMatch(SHOWN[attemptsWith(reason)] ?? /^unknown$/);
  },
);

test("shows the problem code of a source host's error", () => {
  expect(errorsPage()).toContain("| `host_down` | `source_host_unavailable` | {host} does not respond.");
  expect(errorsPage()).toContain("| `ref_invalid` | `source_invalid` |");
});
