import { expect, test } from "vitest";
import { countResults } from "./doctest-program.ts";

const output = `
[doctest] doctest version is "2.4.9"
===============================================================================
[doctest] test cases:    48 |    45 passed | 2 failed | 1 skipped
[doctest] assertions: 40973 | 40970 passed | 3 failed |
[doctest] Status: FAILURE!
`;

test("the test cases of a run are counted", () => {
  expect(countResults(output, 1)).toEqual({ passed: 45, failed: 2, skipped: 1 });
});

test("counts tests that die before they report their result as a failure", () => {
  expect(countResults("[doctest] run with --help for options\n", null)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("instructions that this CPU lacks are neither passed nor failed", () => {
  expect(countResults("this CPU lacks the instructions of ifma\n", 77)).toEqual({ passed: 0, failed: 0, skipped: 0 });
});
