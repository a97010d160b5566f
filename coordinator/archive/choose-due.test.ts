import { expect, test } from "vitest";
import { usageOf } from "../domain/task-usage.ts";
import { chooseDue } from "./choose-due.ts";
import { anEndedTask } from "./testing/ended-tasks.ts";

const NOW = 1_700_000_000_000;
const MINUTE_MS = 60_000;

/** Ended so many minutes ago, in this order. */
function ended(...minutesAgo: readonly number[]) {
  return new Map(
    minutesAgo.map((minutes, index) => {
      const createdAt = NOW - minutes * MINUTE_MS;
      return [`${index}`, { usage: usageOf(anEndedTask({ createdAt, queueMs: 0, runMs: 0 })) }];
    }),
  );
}

test("what ended long ago is due, in whatever order it is known", () => {
  const limits = { afterMs: 10 * MINUTE_MS, endedMax: 100 };
  expect(chooseDue(ended(20, 5, 11, 10, 9), limits, NOW, 100)).toEqual(["0", "2", "3"]);
  expect(chooseDue(ended(20, 5, 11, 10, 9), limits, NOW, 2)).toEqual(["0", "2"]);
});

test("of too many the first to end are due, but for what ended this moment", () => {
  const limits = { afterMs: 10 * MINUTE_MS, endedMax: 2 };
  expect(chooseDue(ended(3, 2, 1, 0.5), limits, NOW, 100)).toEqual(["0", "1"]);
  expect(chooseDue(ended(3, 0.01, 1, 0.5), limits, NOW, 100)).toEqual(["0"]);
  expect(chooseDue(ended(3, 2), limits, NOW, 100)).toEqual([]);
});

test("what a mass of ends leaves is looked through in bounded steps: a turn looks at some that are not due, and no further", () => {
  const limits = { afterMs: 10 * MINUTE_MS, endedMax: 100_000 };
  const young = Array.from({ length: 20_000 }, () => 1);
  let read = 0;
  const counted = ended(20, ...young, 20);
  for (const entry of counted.values()) {
    const { usage } = entry;
    const get = () => {
      read += 1;
      return usage;
    };
    Object.defineProperty(entry, "usage", { get });
  }
  expect(chooseDue(counted, limits, NOW, 100)).toEqual(["0"]);
  expect(read).toBeLessThan(6_000);
});
