import { expect, test } from "vitest";
import type { FileReport } from "../runners/file-reporter.ts";
import { failuresIn, failuresTable } from "./failures.ts";

const MS = { prepare: 0, setup: 0, import: 0, tests: 0 };
const file = (path: string, errors: readonly string[], ...states: readonly string[]): FileReport => ({
  path,
  tier: "system",
  errors,
  ms: MS,
  tests: states.map((state, index) => ({ name: `test ${index}`, state, errors: [] })),
});

test("names each failed test, and each file that failed outside its tests", () => {
  const files = [
    file("a.test.ts", [], "passed", "failed"),
    file("b.test.ts", ["odd"]),
    file("c.test.ts", [], "skipped"),
  ];
  expect(failuresIn(files)).toEqual(["a.test.ts: test 1", "b.test.ts: outside its tests"]);
});

test("shows the most frequent failure first", () => {
  const failures = new Map([
    ["a: rare", 1],
    ["b: often", 7],
  ]);
  expect(failuresTable(failures, 20)).toBe("   7 of 20  b: often\n   1 of 20  a: rare");
});

test("states that nothing failed, where nothing did", () => {
  expect(failuresTable(new Map(), 20)).toBe("nothing failed in 20 runs");
});
