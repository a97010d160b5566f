import { expect, test } from "vitest";
import { mayTakeMore } from "./fair-share.ts";

/** How many each gets, where one after the other takes all that it may. */
function takeAll(max: number, takers: number): readonly number[] {
  const all = Array.from({ length: takers }, () => 0);
  const sum = () => all.reduce((total, own) => total + own, 0);
  for (const index of all.keys()) {
    while (mayTakeMore({ own: all[index] ?? 0, taken: sum(), max })) all[index] = (all[index] ?? 0) + 1;
  }
  return all;
}

test("a sole one may take half, and however greedy those before, something is left for the next", () => {
  expect(takeAll(400, 5)).toEqual([200, 100, 50, 25, 13]);
  expect(takeAll(4, 4)).toEqual([2, 1, 1, 0]);
});

test("there are never more than there are", () => {
  for (let max = 0; max < 40; max += 1) {
    expect(takeAll(max, 50).reduce((total, own) => total + own, 0)).toBeLessThanOrEqual(max);
  }
});
