import { expect, test } from "vitest";
import { parseEnvFile } from "./env-file.ts";

test("reads one variable a line, without comments, empty lines and the quotes around a value", () => {
  const text = "\ufeff# settings\r\nA=1=2\n\n  export B = two words \nC='#x $A'\nD=\"\"\nE=\nA=last\n";
  expect(parseEnvFile(text, "prover.env")).toEqual({ A: "last", B: "two words", C: "#x $A", D: "", E: "" });
});

test.each([
  ["A=1\nB", "prover.env, line 2: this is not NAME=value."],
  ["=1", "prover.env, line 1: this is not NAME=value."],
  ["BAD-KEY=1", "prover.env, line 1: A name has letters, digits and underscores, and begins with no digit."],
  ["A='1", "prover.env, line 1: the quote is not closed on this line."],
  ["A='", "prover.env, line 1: the quote is not closed on this line."],
])("rejects %j with its line", (text, message) => {
  expect(() => parseEnvFile(text, "prover.env")).toThrow(message);
});
