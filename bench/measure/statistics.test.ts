import { expect, test } from "vitest";
import { median, percentile } from "./statistics.ts";

test("returns as a percentile the smallest value that so many are at or below", () => {
  const values = [10, 1, 9, 2, 8, 3, 7, 4, 6, 5];
  expect([0.5, 0.95, 0.99, 1].map((fraction) => percentile(values, fraction))).toEqual([5, 10, 10, 10]);
  expect(percentile([7], 0.5)).toBe(7);
  expect(percentile([], 0.5)).toBeNaN();
});

test("returns as a median the middle value, or the mean of the middle two", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});
