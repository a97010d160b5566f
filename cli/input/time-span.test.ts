import { expect, test } from "vitest";
import { parseLifetime, parseTimeSpan } from "./time-span.ts";

test.each([
  ["90d", 7_776_000],
  ["12h", 43_200],
  ["30m", 1_800],
  [" 45s ", 45],
])("%j is %d seconds", (text, seconds) => expect(parseTimeSpan(text)).toBe(seconds));

test.each(["", "90", "d", "0d", "-1d", "1.5h", "1w", "9999999999d", "never"])("%j is no span of time", (text) => {
  expect(() => parseTimeSpan(text)).toThrow("Give it as in 90d");
});

test("what expires lasts a minute at least", () => {
  expect(parseLifetime("1m")).toBe(60);
  expect(() => parseLifetime("1s")).toThrow("Give at least 60s.");
});
