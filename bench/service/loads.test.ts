import { expect, test } from "vitest";
import { canBeLoaded } from "./loads.ts";

test("loads a contender at up to three times what it does when it is saturated", () => {
  expect(canBeLoaded(60, 100)).toBe(true);
  expect(canBeLoaded(167, 500)).toBe(true);
  expect(canBeLoaded(166, 500)).toBe(false);
});
