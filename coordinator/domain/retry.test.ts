import { expect, test } from "vitest";
import { FAILURE_REASONS, type FailureReason } from "./failure.ts";
import { afterFailedAttempt, afterLostNode, afterRestore } from "./retry.ts";
import { claim, type Task } from "./task.ts";
import { aTask } from "./testing/records.ts";

const SERVICE = { id: "5".repeat(32) };

function running(task: Task, nodeId = "node-a"): Task {
  return claim(task, { nodeId, sessionId: "session-1", assignmentId: "a".repeat(32) }, 10);
}

function fail(task: Task, reason: FailureReason, nodeId = "node-a"): Task {
  return afterFailedAttempt(
    running(task, nodeId),
    { reason, message: reason, exitCode: 137, logTail: "log", runMs: 5 },
    20,
  );
}

/** How many attempts there are when every one ends with the reason. */
function attemptsWith(reason: FailureReason, proverRetries = 0): number {
  let task = aTask(SERVICE, { proverRetries });
  while (task.phase.kind === "queued" && task.attempts.started < 100) task = fail(task, reason);
  return task.attempts.started;
}

const ATTEMPTS: Readonly<Record<FailureReason, number>> = {
  prover_error: 1,
  bad_output: 1,
  out_of_memory: 1,
  run_timeout: 1,
  cancelled: 1,
  input_corrupt: 1,
  start_timeout: 3,
  image_unavailable: 3,
  node_disk_full: 3,
  gpu_fault: 3,
  internal: 3,
  queue_timeout: 3,
  node_lost: 6,
};

test.each(FAILURE_REASONS)("after %s there are as many attempts as the table has", (reason) => {
  expect(attemptsWith(reason)).toBe(ATTEMPTS[reason]);
});

test("a service may allow more attempts after a prover's own error, and after nothing else that is final", () => {
  expect(attemptsWith("prover_error", 5)).toBe(6);
  expect(attemptsWith("out_of_memory", 5)).toBe(1);
});

test("losing nodes costs no attempt: three failures of the machinery are still allowed", () => {
  let task = aTask(SERVICE);
  for (let n = 0; n < 5; n++) task = afterLostNode(running(task), 20);
  task = fail(fail(task, "gpu_fault"), "gpu_fault");
  expect(task.phase.kind).toBe("queued");
  expect(fail(task, "node_disk_full").phase).toMatchObject({ kind: "failed", failure: { reason: "node_disk_full" } });
});

test("the last reason stands, with what is known of it", () => {
  const task = fail(fail(fail(aTask(SERVICE), "gpu_fault"), "internal"), "image_unavailable");
  expect(task.phase).toMatchObject({
    kind: "failed",
    failure: {
      reason: "image_unavailable",
      message: "image_unavailable",
      attempts: 3,
      exitCode: 137,
      logTail: "log",
      retryable: true,
    },
  });
});

test("nodes that failed the task are avoided, each once, the latest last, and not more than eight", () => {
  const lose = (task: Task, nodeId: string) => ({
    ...afterLostNode(running(task, nodeId), 20),
    attempts: aTask(SERVICE).attempts,
  });
  let task = aTask(SERVICE);
  for (const nodeId of ["a", "b", "a"]) task = lose(task, nodeId);
  expect(task.avoidNodeIds).toEqual(["b", "a"]);
  for (const nodeId of "cdefghij") task = lose(task, nodeId);
  expect(task.avoidNodeIds).toEqual([..."cdefghij"]);
});

test("a restore queues a running task again, counts nothing, and keeps its attempts apart", () => {
  const restored = afterRestore(running(aTask(SERVICE)), 9_000);
  expect(restored).toMatchObject({
    phase: { kind: "queued", since: 9_000, lastFailure: null },
    attempts: { started: 1, infrastructure: 0, lost: 0, prover: 0 },
    avoidNodeIds: [],
  });
  expect(running(restored).attempts.started).toBe(2);
  const canary = afterRestore(running(aTask(SERVICE, { canaryOf: "d" })), 9_000);
  expect(canary.phase).toMatchObject({ kind: "failed", failure: { reason: "node_lost" } });
});
