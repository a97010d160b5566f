import { expect, test } from "vitest";
import { plainSentence } from "./plain-sentence.ts";

test("leaves out the marks of code, and nothing else", () => {
  expect(plainSentence("at most 7 days before `to`: see `a` and `b`")).toBe("at most 7 days before to: see a and b");
  expect(plainSentence("one ` alone")).toBe("one ` alone");
});
