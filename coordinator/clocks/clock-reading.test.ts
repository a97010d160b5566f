import fc from "fast-check";
import { expect, test } from "vitest";
import { readEcho } from "./clock-reading.ts";

test("the other clock is known to half the time on the way, however that is shared", () => {
  const ms = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(fc.integer(), ms, ms, ms, (aheadMs, thereMs, heldMs, backMs) => {
      const sentMs = 1_000;
      const wallMs = sentMs + thereMs + heldMs + aheadMs;
      const receivedMs = sentMs + thereMs + heldMs + backMs;
      const reading = readEcho({ wallMs, sentMs, heldMs, receivedMs });
      expect(reading).toMatchObject({ wallMs, errorMs: (thereMs + backMs) / 2 });
      const readAheadMs = wallMs - (reading?.atMs ?? Number.NaN);
      expect(Math.abs(readAheadMs - aheadMs)).toBeLessThanOrEqual(reading?.errorMs ?? Number.NaN);
    }),
  );
});

test("times that cannot be are no reading", () => {
  const echo = { wallMs: 5, sentMs: 10, heldMs: 0, receivedMs: 12 };
  expect(readEcho({ ...echo, receivedMs: 9 })).toBeNull();
  expect(readEcho({ ...echo, heldMs: 3 })).toBeNull();
  expect(readEcho({ ...echo, heldMs: -1 })).toBeNull();
  expect(readEcho({ ...echo, heldMs: Number.NaN })).toBeNull();
  expect(readEcho({ ...echo, wallMs: 2 ** 60 })).toBeNull();
});
