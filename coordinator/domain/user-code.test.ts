import { expect, test } from "vitest";
import { formatUserCode, parseUserCode } from "./user-code.ts";

test.each([
  ["BCDF-GHJK", "BCDFGHJK"],
  ["bcdfghjk", "BCDFGHJK"],
  [" bcdf ghjk\n", "BCDFGHJK"],
  ["BCDF-GHJ", null],
  ["BCDF-GHJKL", null],
  ["ABCD-EFGH", null],
  ["BCDF-GHJ1", null],
  ["", null],
  ["code", null],
  ["B".repeat(1_000), null],
])("reads %j as the code %j", (text, expected) => {
  expect(parseUserCode(text)).toBe(expected);
});

test("shows a code in two halves", () => {
  expect(formatUserCode("BCDFGHJK")).toBe("BCDF-GHJK");
});
