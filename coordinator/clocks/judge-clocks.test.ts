import fc from "fast-check";
import { expect, test } from "vitest";
import { CLOCK_TOLERANCE_MS, judgeClocks, type KnownClock } from "./judge-clocks.ts";

const DAY_MS = 86_400_000;

const at = (...aheadMs: readonly number[]): KnownClock[] => aheadMs.map((ms) => ({ aheadMs: ms, errorMs: 5 }));

test("knows nothing where no other clock is known", () => {
  expect(judgeClocks([], "alone")).toEqual({ standing: "alone", offsetMs: 0, known: 1, agreeing: 1 });
});

test("agrees with the others up to two seconds from the median of all, and is off from there on", () => {
  expect(judgeClocks(at(1_999, 1_999), "agrees")).toMatchObject({ standing: "agrees", offsetMs: -1_999 });
  expect(judgeClocks(at(2_000, 2_000), "agrees")).toMatchObject({ standing: "off", offsetMs: -2_000 });
  expect(judgeClocks(at(-2 * DAY_MS, -2 * DAY_MS - 40), "agrees")).toEqual({
    standing: "off",
    offsetMs: 2 * DAY_MS,
    known: 3,
    agreeing: 2,
  });
});

test("counts as right again only within a second of the median", () => {
  expect(judgeClocks(at(1_500, 1_500), "off")).toMatchObject({ standing: "off" });
  expect(judgeClocks(at(999, 999), "off")).toMatchObject({ standing: "agrees" });
});

test("finds no majority where half of the clocks disagree", () => {
  expect(judgeClocks(at(DAY_MS), "agrees")).toMatchObject({ standing: "no_majority", known: 2, agreeing: 1 });
  expect(judgeClocks(at(0, DAY_MS, DAY_MS), "agrees")).toMatchObject({ standing: "no_majority", known: 4 });
  expect(judgeClocks(at(DAY_MS, -DAY_MS), "agrees")).toMatchObject({ standing: "no_majority", known: 3 });
});

test("does not count a clock whose reading may be wrong by more than half a second", () => {
  const unsure = { aheadMs: DAY_MS, errorMs: 501 };
  expect(judgeClocks([unsure, unsure], "alone")).toMatchObject({ standing: "alone", known: 1 });
});

test("is within the clocks of a majority, whatever a minority of others shows", () => {
  const clocks = fc
    .record({
      of: fc.integer({ min: -DAY_MS, max: DAY_MS }),
      // Within two seconds of each other.
      majority: fc.array(fc.integer({ min: 0, max: CLOCK_TOLERANCE_MS }), { minLength: 1, maxLength: 9 }),
    })
    .chain(({ of, majority }) =>
      fc.record({
        majority: fc.constant(majority.map((ms) => of + ms)),
        minority: fc.array(fc.maxSafeInteger(), { maxLength: majority.length - 1 }),
        isOwnRight: fc.boolean(),
      }),
    )
    .filter(({ majority, minority, isOwnRight }) => minority.length > 0 || (isOwnRight && majority.length > 1));
  fc.assert(
    fc.property(clocks, ({ majority, minority, isOwnRight }) => {
      const own = (isOwnRight ? majority[0] : minority[0]) ?? 0;
      const others = isOwnRight ? [...majority.slice(1), ...minority] : [...majority, ...minority.slice(1)];
      const { standing, offsetMs } = judgeClocks(at(...others.map((clock) => clock - own)), "agrees");
      expect(["agrees", "off"]).toContain(standing);
      const median = own - offsetMs;
      expect(median).toBeGreaterThanOrEqual(Math.min(...majority) - 1);
      expect(median).toBeLessThanOrEqual(Math.max(...majority) + 1);
      if (isOwnRight) expect(standing).toBe("agrees");
    }),
  );
});
