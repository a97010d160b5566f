import { afterEach, expect, test, vi } from "vitest";
import { watchMemory } from "./memory-peak.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("reports the most memory that was missing at any sample", () => {
  vi.useFakeTimers();
  const available = [1000, 900, 400.4, 800];
  using memory = watchMemory(() => available.shift() ?? 800);
  expect(memory.mib()).toBe(0);
  vi.advanceTimersByTime(5000);
  expect(memory.mib()).toBe(600);
});
