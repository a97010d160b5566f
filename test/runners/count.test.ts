import { expect, test } from "vitest";
import { add, atLeastOne, NONE, sentence } from "./count.ts";

test("adds counts and gives them in one sentence", () => {
  const sum = add({ passed: 2, failed: 0, skipped: 1 }, { passed: 1, failed: 1, skipped: 0 });
  expect(sentence(sum)).toBe("3 passed, 1 failed, 1 skipped");
});

test("counts a runner that executed no test as failed", () => {
  expect(atLeastOne(NONE).failed).toBe(1);
  expect(atLeastOne({ passed: 0, failed: 0, skipped: 9 }).failed).toBe(1);
  expect(atLeastOne({ passed: 1, failed: 0, skipped: 0 }).failed).toBe(0);
});
