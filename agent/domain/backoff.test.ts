import fc from "fast-check";
import { expect, test } from "vitest";
import { leaderEpoch } from "../link/leader-epoch.ts";
import { backoffMs } from "./backoff.ts";

const BACKOFF = { firstMs: 250, longestMs: 5_000 };

test("waits grow to the longest, and half of each is chance", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (failures, random) => {
        const wait = backoffMs(BACKOFF, failures, random);
        const full = Math.min(5_000, 250 * 2 ** Math.min(failures - 1, 30));
        expect(wait).toBeGreaterThanOrEqual(full / 2);
        expect(wait).toBeLessThanOrEqual(full);
      },
    ),
  );
});

test("only the newest leader seen commands, and its sets do not go back", () => {
  const epoch = leaderEpoch();
  expect(epoch.admits(3n)).toBe(true);
  expect(epoch.admits(2n)).toBe(false);
  expect(epoch.admitsSet(3n, 5n)).toBe(true);
  expect(epoch.admitsSet(3n, 5n)).toBe(true);
  expect(epoch.admitsSet(3n, 4n)).toBe(false);
  expect(epoch.admitsSet(4n, 1n)).toBe(true);
  expect(epoch.admits(3n)).toBe(false);
});
