import { expect, test } from "vitest";
import { attemptSpan } from "./attempt-span.ts";
import type { Timeline } from "./timeline.ts";

const TIMELINE: Timeline = [
  [1, "created"],
  [2, "started", "node-a"],
  [5, "requeued", "gpu_fault"],
  [6, "started", "node-b"],
];

test("an attempt that was tried again is over when the task went back to its queue", () => {
  expect(attemptSpan(TIMELINE, 1)).toEqual({ nodeId: "node-a", over: { at: 5, reason: "gpu_fault" } });
});

test("the newest attempt is not over while its task runs, and is with its end", () => {
  expect(attemptSpan(TIMELINE, 2)).toEqual({ nodeId: "node-b", over: null });
  expect(attemptSpan([...TIMELINE, [9, "succeeded"]], 2)).toEqual({
    nodeId: "node-b",
    over: { at: 9, reason: null },
  });
});

test("an attempt that was not started is none", () => {
  expect(attemptSpan(TIMELINE, 3)).toBeNull();
  expect(attemptSpan(TIMELINE, 0)).toBeNull();
  expect(attemptSpan([[1, "created"]], 1)).toBeNull();
});
