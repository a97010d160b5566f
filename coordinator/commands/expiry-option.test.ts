import { expect, test } from "vitest";
import { readExpiry } from "./expiry-option.ts";

test.each([
  ["90d", 7_776_000],
  ["12h", 43_200],
  ["30m", 1_800],
  ["45s", 45],
  ["3600", 3_600],
  ["never", "never"],
])("%s is taken", (text, expected) => expect(readExpiry(text)).toBe(expected));

test.each(["", "0", "0d", "-1h", "1w", "1.5h", "soon"])("%j is refused", (text) => {
  expect(() => readExpiry(text)).toThrow("Give it as in 90d");
});
