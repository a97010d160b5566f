import { expect, test } from "vitest";
import { freeName } from "./free-name.ts";
import { isName } from "./team.ts";

test.each([
  ["ada", "ada"],
  ["  ada lovelace ", "ada lovelace"],
  ["\u202eada\u0007\n", "ada"],
  ["", "user"],
  ["\u200b", "user"],
  ["a".repeat(200), "a".repeat(80)],
  [`a${"😀".repeat(90)}`, `a${"😀".repeat(39)}`],
])("makes a name of %j", (text, expected) => {
  const name = freeName(text, () => false);
  expect(name).toBe(expected);
});

test("numbers a name that is taken, and what it makes is a name", () => {
  const taken = new Set(["ada", "ada-2", "user"]);
  expect(freeName("ada", (name) => taken.has(name))).toBe("ada-3");
  for (const text of ["", "x ".repeat(60), "\u2028"]) {
    expect(isName(freeName(text, (name) => taken.has(name)))).toBe(true);
  }
});
