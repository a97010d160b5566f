import { expect, test } from "vitest";
import { isNearlyFull } from "./nearly-full.ts";

const used = (inUseBytes: number) => ({ inUseBytes, quotaBytes: 1000 });

test.each([
  [699, false],
  [700, true],
  [1200, true],
])("decides at %i of 1000 bytes in use, threshold 70 percent: %s", (inUseBytes, expected) => {
  expect(isNearlyFull(used(inUseBytes), 70, false)).toBe(expected);
});

test("accepts creations again only once the use is five points below the threshold", () => {
  let isFull = false;
  const seen = [690, 700, 699, 660, 650, 649, 699, 700].map((inUseBytes) => {
    isFull = isNearlyFull(used(inUseBytes), 70, isFull);
    return isFull;
  });
  expect(seen).toEqual([false, true, true, true, true, false, false, true]);
});

test("a store without a quota is never nearly full", () => {
  expect(isNearlyFull({ inUseBytes: 1e12, quotaBytes: 0 }, 70, true)).toBe(false);
});
