import { expect, test } from "vitest";
import type { FileReport } from "./file-reporter.ts";
import { countReport, timingOf } from "./vitest.ts";

const file = (errors: number, ...states: readonly string[]): FileReport => ({
  path: "a.test.ts",
  tier: "pure",
  errors,
  ms: { prepare: 10, setup: 20, import: 970, tests: 1000 },
  tests: states.map((state, index) => ({ name: `test ${index}`, state })),
});

test("counts tests by how they ended, and names the skipped ones", () => {
  const report = { files: [file(0, "passed", "failed", "skipped")], errors: 0 };
  const { count, skipped } = countReport(report, 1);
  expect(count).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(skipped).toEqual(["test 2"]);
});

test("counts a file that could not be loaded as a failure", () => {
  expect(countReport({ files: [file(1), file(0, "passed")], errors: 0 }, 1).count.failed).toBe(1);
});

test("counts an error outside any test as a failure", () => {
  expect(countReport({ files: [file(0, "passed")], errors: 1 }, 1).count.failed).toBe(1);
});

test("counts an exit with an error as a failure, whatever was reported", () => {
  expect(countReport({ files: [file(0, "passed")], errors: 0 }, 1).count.failed).toBe(1);
});

test("counts vitest's death before its report as a failure", () => {
  expect(countReport(null, null).count).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("gives a file's time by part", () => {
  const { seconds, parts } = timingOf(file(0, "passed"));
  expect(seconds).toBe(2);
  expect(parts).toEqual({ prepare: 0.01, setup: 0.02, import: 0.97, tests: 1 });
});
