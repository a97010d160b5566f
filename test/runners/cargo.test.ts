import { expect, test } from "vitest";
import { countResults, programTimings } from "./cargo.ts";

const output = `
     Running unittests src/lib.rs (target/release/deps/elastic_sdk-0a1b2c3d4e5f6a7b)

running 2 tests
test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.25s

     Running tests/interface/main.rs (target/release/deps/interface-0a1b2c3d4e5f6a7b)

test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 39.10s

   Doc-tests elastic_sdk

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`;

test("adds the results of all test programs", () => {
  expect(countResults(output, 101)).toEqual({ passed: 5, failed: 1, skipped: 1 });
});

test("counts what does not compile as a failure", () => {
  expect(countResults("error: could not compile", 101)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("gives the time of each test program", () => {
  expect(programTimings(output)).toEqual([
    { name: "cargo: elastic_sdk (src/lib.rs)", kind: "file", seconds: 0.25 },
    { name: "cargo: interface (tests/interface/main.rs)", kind: "file", seconds: 39.1 },
    { name: "cargo: elastic_sdk (documentation)", kind: "file", seconds: 0 },
  ]);
});
