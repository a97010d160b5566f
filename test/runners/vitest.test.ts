import { expect, test } from "vitest";
import type { FileReport } from "./file-reporter.ts";
import { countReport, timingOf } from "./vitest.ts";

const file = (errors: readonly string[], ...states: readonly string[]): FileReport => ({
  path: "a.test.ts",
  tier: "pure",
  errors,
  ms: { prepare: 10, setup: 20, import: 970, tests: 1000 },
  tests: states.map((state, index) => ({
    name: `test ${index}`,
    state,
    errors: state === "failed" ? ["expected 1\nto be 2"] : [],
  })),
});

test("counts tests by how they ended, and names the skipped ones", () => {
  const report = { files: [file([], "passed", "failed", "skipped")], errors: [] };
  const { count, skipped } = countReport(report, 1);
  expect(count).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(skipped).toEqual(["test 2"]);
});

test("names each failure with the first line of its message", () => {
  const report = { files: [file([], "passed", "failed"), file(["no such module"])], errors: ["odd"] };
  expect(countReport(report, 1).failed).toEqual([
    "FAILED a.test.ts > test 1: expected 1",
    "FAILED a.test.ts: no such module",
    "FAILED outside any file: odd",
  ]);
});

test("counts a file that could not be loaded as a failure", () => {
  expect(countReport({ files: [file(["no such module"]), file([], "passed")], errors: [] }, 1).count.failed).toBe(1);
});

test("counts an error outside any test as a failure", () => {
  expect(countReport({ files: [file([], "passed")], errors: ["odd"] }, 1).count.failed).toBe(1);
});

test("counts an exit with an error as a failure, whatever was reported", () => {
  expect(countReport({ files: [file([], "passed")], errors: [] }, 1).count.failed).toBe(1);
});

test("counts vitest's death before its report as a failure", () => {
  expect(countReport(null, null).count).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("gives a file's time by part", () => {
  const { seconds, parts } = timingOf(file([], "passed"));
  expect(seconds).toBe(2);
  expect(parts).toEqual({ prepare: 0.01, setup: 0.02, import: 0.97, tests: 1 });
});
