import { expect, test } from "vitest";
import { countResults } from "./cargo.ts";

const output = `
running 2 tests
test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
`;

test("the results of all test programs are added", () => {
  expect(countResults(output, 101)).toEqual({ passed: 5, failed: 1, skipped: 1 });
});

test("what does not compile is a failure", () => {
  expect(countResults("error: could not compile", 101)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
