import { expect, test } from "vitest";
import type { Task } from "../../domain/task.ts";
import { claim } from "../../domain/task.ts";
import { aTask } from "../../domain/testing/records.ts";
import { cancelWithService, expireQueued, failStranded, overrun } from "./end-open-task.ts";

const SERVICE = { id: "5".repeat(32) };
const ON = { nodeId: "a", sessionId: "s", assignmentId: "b".repeat(32) };

function ending(task: Task): string {
  const { phase } = task;
  if (phase.kind === "queued" || phase.kind === "running" || phase.kind === "succeeded") return phase.kind;
  return `${phase.kind}: ${phase.failure.reason}, ${phase.failure.message}`;
}

test("a queued task past its queue budget has expired", () => {
  const task = expireQueued(aTask(SERVICE), 5_000_000);
  expect(ending(task)).toBe("expired: queue_timeout, waited longer than 3600 s for a workload");
  expect(task.phase).toMatchObject({ startedAt: null, finishedAt: 5_000_000, failure: { retryable: true } });
});

test("a stranded task ends with what its service's workload failed with", () => {
  const why = { reason: "image_unavailable", message: "no such image" } as const;
  const failure = { step: "pulling", ...why, exitCode: 3, logTail: "log" } as const;
  const task = failStranded(aTask(SERVICE), failure, 70_000);
  expect(ending(task)).toBe("failed: image_unavailable, no such image");
  expect(task.phase).toMatchObject({ failure: { exitCode: 3, logTail: "log", attempts: 0 } });
});

test("a task that overruns is timed out, and not tried again", () => {
  const task = overrun(claim(aTask(SERVICE), ON, 10_000), 101_000);
  expect(ending(task)).toBe("timed_out: run_timeout, ran longer than 60 s");
  expect(task.phase).toMatchObject({ startedAt: 10_000, finishedAt: 101_000 });
});

test("open tasks of a deleted service are cancelled", () => {
  expect(ending(cancelWithService(aTask(SERVICE), 2_000))).toBe("cancelled: cancelled, the service was deleted");
  const running = claim(aTask(SERVICE), ON, 10_000);
  expect(cancelWithService(running, 12_000).phase).toMatchObject({ startedAt: 10_000, finishedAt: 12_000 });
});
