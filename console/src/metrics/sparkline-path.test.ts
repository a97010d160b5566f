import { expect, test } from "vitest";
import { sparklinePath } from "./sparkline-path.ts";

const SIZE = { width: 100, height: 20 };

test("runs from 0 at the bottom to the greatest value at the top", () => {
  expect(sparklinePath([0, 5, 10], SIZE)).toBe("M0 20L50 10L100 0");
});

test("is broken where a value is absent, and shows a single one as a dot", () => {
  expect(sparklinePath([1, 1, null, 1, null], SIZE)).toBe("M0 0L25 0M75 0h0.01");
});

test("stays within its size whatever there is", () => {
  expect(sparklinePath([], SIZE)).toBe("");
  expect(sparklinePath([0, 0], SIZE)).toBe("M0 20L100 20");
  expect(sparklinePath([7], SIZE)).toBe("M100 0h0.01");
});
