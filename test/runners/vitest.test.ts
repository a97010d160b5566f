import { expect, test } from "vitest";
import { countReport } from "./vitest.ts";

const file = (status: string, ...statuses: readonly string[]) => ({
  name: "a.test.ts",
  status,
  assertionResults: statuses.map((each, index) => ({ fullName: `test ${index}`, status: each })),
});

test("tests are counted by how they ended, and the skipped ones named", () => {
  const { count, skipped } = countReport({ testResults: [file("failed", "passed", "failed", "skipped")] }, 1);
  expect(count).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(skipped).toEqual(["test 2"]);
});

test("a file that could not be loaded is a failure", () => {
  expect(countReport({ testResults: [file("failed"), file("passed", "passed")] }, 1).count.failed).toBe(1);
});

test("an error outside any test is a failure", () => {
  expect(countReport({ testResults: [file("passed", "passed")] }, 1).count.failed).toBe(1);
});

test("a runner that died before it reported is a failure", () => {
  expect(countReport(null, null).count).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
