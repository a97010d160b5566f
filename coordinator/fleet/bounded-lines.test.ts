import { expect, test } from "vitest";
import { BoundedLines } from "./bounded-lines.ts";

test("logs of each node and kind a few lines a minute, the next with how many events were left out", () => {
  let nowMs = 0;
  const lines = new BoundedLines({ monotonicMs: () => nowMs });
  const next = (nodeId: string, aMinute = 1) => lines.next(nodeId, "stale", { aMinute });
  expect([next("a"), next("a"), next("a"), next("b"), lines.next("a", "other")]).toEqual([0, null, null, 0, 0]);
  nowMs = 59_999;
  expect(lines.next("a", "stale", { events: 7 })).toBeNull();
  nowMs = 60_000;
  expect([next("a"), next("a")]).toEqual([9, null]);
  expect([next("c", 2), next("c", 2), next("c", 2)]).toEqual([0, 0, null]);
});
