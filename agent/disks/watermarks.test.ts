import { expect, test } from "vitest";
import { isAbove } from "./watermarks.ts";

test.each([
  [90, false, false],
  [90.1, false, true],
  [85, true, true],
  [80, true, false],
])("a disk that is %d %% full, and was above before: %s, is above: %s", (usedPercent, wasAbove, expected) => {
  expect(isAbove({ highPercent: 90, lowPercent: 80 }, usedPercent, wasAbove)).toBe(expected);
});
