import { expect, test } from "vitest";
import type { Count } from "./count.ts";
import { checkedEnd, type TimedEnd } from "./run-apart.ts";

const end = (count: Count, more: Partial<TimedEnd> = {}): TimedEnd => ({
  count,
  notes: [],
  timings: [],
  seconds: 1,
  cpuSeconds: 1,
  ...more,
});
const PASSED: Count = { passed: 3, failed: 0, skipped: 1 };

test("takes over what a runner reported", () => {
  expect(checkedEnd(end(PASSED), 0).count).toEqual(PASSED);
});

test("counts an exit with an error as a failure", () => {
  expect(checkedEnd(end(PASSED), 1).count.failed).toBe(1);
});

test("counts a death before the report as a failure", () => {
  expect(checkedEnd(null, null).count).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("counts a runner that ran nothing as a failure, unless a verdict was reused", () => {
  const nothing: Count = { passed: 0, failed: 0, skipped: 9 };
  expect(checkedEnd(end(nothing), 0).count.failed).toBe(1);
  expect(checkedEnd(end(nothing, { reused: true }), 0).count).toEqual(nothing);
});
