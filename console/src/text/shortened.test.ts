import { expect, test } from "vitest";
import { shortened } from "./shortened.ts";

test("shows the start of a long text, and no half of a character", () => {
  expect(shortened("abc", 3)).toEqual({ shown: "abc", isCut: false });
  expect(shortened("abcd", 3)).toEqual({ shown: "abc", isCut: true });
  expect(shortened("ab😀", 3)).toEqual({ shown: "ab", isCut: true });
});
