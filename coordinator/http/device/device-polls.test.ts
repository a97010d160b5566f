import { expect, test } from "vitest";
import { DevicePolls } from "./device-polls.ts";

test("slows down a program that polls more often than every five seconds, further each time", () => {
  const polls = new DevicePolls();
  const comeAt = (atMs: number) => polls.isTooSoon("one", atMs);
  expect([comeAt(0), comeAt(5_000), comeAt(6_000)]).toEqual([false, false, true]);
  expect([comeAt(12_000), comeAt(27_000)]).toEqual([true, false]);
  expect(polls.isTooSoon("two", 27_000)).toBe(false);
  polls.forget("one");
  expect(comeAt(27_001)).toBe(false);
});

test("keeps a bounded number of them", () => {
  const polls = new DevicePolls();
  for (let number = 0; number < 20_000; number++) polls.isTooSoon(String(number), 0);
  expect(polls.isTooSoon("0", 1)).toBe(false);
  expect(polls.isTooSoon("19999", 1)).toBe(true);
});
