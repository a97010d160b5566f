import { expect, test } from "vitest";
import { readRetryAfter } from "./retry-after.ts";

const NOW = Date.UTC(2026, 10, 21, 10, 0, 0);

test.each([
  [undefined, null],
  ["0", 0],
  ["120", 120_000],
  [" 5 ", 5_000],
  ["Sat, 21 Nov 2026 10:01:00 GMT", 60_000],
  ["Sat, 21 Nov 2026 09:00:00 GMT", 0],
  ["-5", null],
  ["1.5", null],
  ["5 s", null],
  ["1e9", null],
  ["99999999999999999999", null],
  ["2026-11-21T10:01:00Z", null],
  ["Saturday, 21-Nov-26 10:01:00 GMT", null],
  ["Xyz, 99 Abc 2026 10:01:00 GMT", null],
  ["", null],
])("%j requests a pause of %j", (header, ms) => {
  expect(readRetryAfter(header, NOW)).toBe(ms);
});
