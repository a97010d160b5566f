import fc from "fast-check";
import { expect, test } from "vitest";
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
