import { expect, test } from "vitest";
import { StoreSpace } from "./store-space.ts";

test("logs one line at each change, and none between them", () => {
  const lines: string[] = [];
  const record = (_facts: unknown, line: string) => void lines.push(line);
  const log = { warn: record as never, info: record as never };
  const space = new StoreSpace({ thresholdPercent: 70, log });
  expect([space.size(), space.isNearlyFull()]).toEqual([null, false]);
  const seen = [10, 71, 72, 68, 64, 10].map((inUseBytes) => {
    space.measured({ inUseBytes, quotaBytes: 100 });
    return space.isNearlyFull();
  });
  expect(seen).toEqual([false, true, true, true, false, false]);
  expect(space.size()).toEqual({ inUseBytes: 10, quotaBytes: 100 });
  expect(lines).toEqual([
    "the store is nearly full: creations are rejected with 429 until it has room again",
    "the store has room again: creations are accepted",
  ]);
});
