import { newId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import { RECORD_BYTES_MAX } from "../store/codec.ts";
import { PRIORITY_MIN } from "./priority.ts";
import { type AttemptFailure, afterFailedAttempt, afterLostNode } from "./retry.ts";
import { claim, isTerminal, queue, type Task } from "./task.ts";
import { aTask } from "./testing/records.ts";
import { eventsOf, withMark } from "./timeline.ts";

const NOW = 1_800_000_000_000;

test("marks are read with the attempt that they are about", () => {
  let task = claim(aTask({ id: "s" }, { createdAt: 5 }), { nodeId: "n", sessionId: "", assignmentId: "" }, 6);
  task = afterLostNode(task, 7);
  task = claim(task, { nodeId: "m", sessionId: "", assignmentId: "" }, 8);
  const failed = { reason: "bad_output", message: "", exitCode: null, logTail: "", runMs: 1 } as const;
  expect(eventsOf(afterFailedAttempt(task, failed, 9).timeline)).toEqual([
    { at: 5, event: "created", attempt: null, nodeId: null, reason: null },
    { at: 6, event: "started", attempt: 1, nodeId: "n", reason: null },
    { at: 7, event: "requeued", attempt: 1, nodeId: null, reason: "node_lost" },
    { at: 8, event: "started", attempt: 2, nodeId: "m", reason: null },
    { at: 9, event: "failed", attempt: 2, nodeId: null, reason: "bad_output" },
  ]);
});

test("a clock that steps back moves no mark before the one it follows", () => {
  expect(withMark([[10, "created"]], [4, "started", "n"])).toEqual([
    [10, "created"],
    [10, "started", "n"],
  ]);
});

test("the longest life of a task still fits a record", () => {
  const longest: AttemptFailure = {
    reason: "image_unavailable",
    message: "m".repeat(1024),
    exitCode: 255,
    logTail: "l".repeat(4096),
    runMs: 1e9,
  };
  let task = queue({
    ...aTask({ id: newId(NOW) }, { createdAt: NOW, proverRetries: 5, priority: PRIORITY_MIN }),
    serviceName: "s".repeat(63),
    requestId: "r".repeat(64),
    input: { bytes: 2 ** 30, sha256: "f".repeat(64), where: "blob" },
    budgets: { queueMs: 604_800_000, startMs: 3_600_000, runMs: 86_400_000 },
  });
  const fail = (next: (task: Task) => Task) => {
    const on = { nodeId: newId(NOW), sessionId: newId(NOW), assignmentId: newId(NOW) };
    task = next(claim(task, on, NOW));
  };
  for (let n = 0; n < 5; n++) fail((running) => afterLostNode(running, NOW));
  for (let n = 0; n < 5; n++)
    fail((running) => afterFailedAttempt(running, { ...longest, reason: "prover_error" }, NOW));
  for (let n = 0; n < 3; n++) fail((running) => afterFailedAttempt(running, longest, NOW));
  expect(isTerminal(task.phase)).toBe(true);
  expect(task.timeline).toHaveLength(1 + 2 * 13);
  // Room for the op, and for fields to come.
  expect(Buffer.byteLength(JSON.stringify(task))).toBeLessThan(RECORD_BYTES_MAX - 256);
});
