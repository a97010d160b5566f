import { expect, test } from "vitest";
import { CONTENDERS, weekOf } from "./contenders.ts";
import { drawTraffic, WEEK_MS } from "./traffic.ts";

const HOURS_MS = 4 * 3_600_000;

test("draws the same week from the same seed, and another one from another", () => {
  const [one, again, other] = [drawTraffic(1), drawTraffic(1), drawTraffic(2)];
  expect(again).toEqual(one);
  expect(other.length).not.toBe(one.length);
  expect(one.every(({ at }, index) => at < WEEK_MS && at >= (one[index - 1]?.at ?? 0))).toBe(true);
});

test("takes the same course each time, has as many machines as it may at most, and starts nearly every task", () => {
  for (const contender of CONTENDERS) {
    const week = weekOf(contender, 1, HOURS_MS);
    expect(weekOf(contender, 1, HOURS_MS)).toEqual(week);
    if (contender.isOurs) expect(week.machinesMax).toBeLessThanOrEqual(24);
    expect(week.tasks).toBeGreaterThan(0.8 * drawTraffic(1).filter(({ at }) => at < HOURS_MS).length);
    expect(week.cost).toBeCloseTo(4 * week.machineHours);
  }
});
