import { expect, test } from "vitest";
import { durationText, timeBetween } from "./duration-text.ts";

test.each([
  [999, "0 s"],
  [-5, "0 s"],
  [61_000, "1 min 1 s"],
  [3_600_000, "1 h"],
  [90_061_000, "1 d 1 h"],
])("%d ms is %s", (ms, text) => expect(durationText(ms)).toBe(text));

test("is the time between two times of the service", () => {
  expect(timeBetween("2026-11-23T10:00:00", "2026-11-23T10:02:05")).toBe("2 min 5 s");
});
