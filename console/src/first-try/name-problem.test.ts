import { expect, test } from "vitest";
import { nameProblem } from "./name-problem.ts";

test("accepts what services and source hosts accept", () => {
  for (const name of ["poseidon-demo", "a", "9_x.y-Z", "x".repeat(63), "digit"]) {
    expect([name, nameProblem(name)]).toEqual([name, null]);
  }
});

test.each([
  ["", "Enter"],
  ["x".repeat(64), "63"],
  ["my prover", "letters, digits"],
  ["prüfer", "letters, digits"],
  ["a/b", "letters, digits"],
  ["-a", "Begin"],
  ["..", "Begin"],
  ["a.", "end"],
  ["a.git", "end"],
  ["a.ATOM", "end"],
])("says what is wrong with %j", (name, text) => {
  expect(nameProblem(name)).toContain(text);
});
