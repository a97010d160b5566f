import { expect, test } from "vitest";
import { reconnectDelayMs } from "./reconnect-delay.ts";

const delays = (reconnect: Parameters<typeof reconnectDelayMs>[0]) =>
  [0, 0.5, 0.999].map((random) => Math.round(reconnectDelayMs(reconnect, random)));

test("comes back at once to a small fleet, and later and later while nobody responds", () => {
  expect(delays({ failures: 1, spreadMs: 0, isUrgent: false })).toEqual([125, 188, 250]);
  expect(delays({ failures: 4, spreadMs: 0, isUrgent: false })).toEqual([1_000, 1_500, 1_999]);
  expect(delays({ failures: 99, spreadMs: 0, isUrgent: false })).toEqual([2_500, 3_750, 4_998]);
});

test("spreads a large fleet over the time that its coordinator stated, from the first try on", () => {
  expect(delays({ failures: 1, spreadMs: 10_000, isUrgent: false })).toEqual([125, 5_188, 10_240]);
  expect(delays({ failures: 99, spreadMs: 10_000, isUrgent: false })).toEqual([7_500, 11_250, 14_993]);
});

test("keeps nobody away for long who has no other coordinator, nor anybody longer than a quarter of a minute", () => {
  expect(delays({ failures: 1, spreadMs: 10_000, isUrgent: true })).toEqual([125, 1_688, 3_247]);
  expect(delays({ failures: 99, spreadMs: 10_000, isUrgent: true })).toEqual([2_500, 3_750, 4_998]);
  expect(delays({ failures: 1, spreadMs: 3_600_000, isUrgent: false }).at(-1)).toBeLessThan(15_500);
});
