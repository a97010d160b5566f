import { expect, test } from "vitest";
import { percentText, successRate } from "./success-rate.ts";

const NONE = { succeeded: 0, failed: 0, cancelled: 0, timed_out: 0, expired: 0 };

test("counts what failed against what succeeded, and nothing that was cancelled", () => {
  expect(successRate({ ...NONE, succeeded: 3, failed: 1, cancelled: 9 })).toBe(0.75);
  expect(successRate({ ...NONE, cancelled: 9 })).toBeNull();
});

test("says 100 % only where all succeeded", () => {
  expect([1, 0.99999, 0.5, 0].map(percentText)).toEqual(["100 %", "99.9 %", "50 %", "0 %"]);
});
