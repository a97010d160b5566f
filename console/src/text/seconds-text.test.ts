import { expect, test } from "vitest";
import { secondsText } from "./seconds-text.ts";

test.each([
  [0, "0 ms"],
  [0.0123, "12 ms"],
  [1, "1 s"],
  [1.26, "1.3 s"],
  [119.4, "119 s"],
  [600, "10 min"],
  [36_000, "10 h"],
])("says %d seconds as %s", (seconds, text) => {
  expect(secondsText(seconds)).toBe(text);
});
