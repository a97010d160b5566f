import { expect, test } from "vitest";
import { RecentChanges } from "./recent-changes.ts";

test("permits another change once the oldest of those that count is long enough ago", () => {
  let nowMs = 0;
  const changes = new RecentChanges({ monotonicMs: () => nowMs }, { max: 12, withinMs: 3_600_000 });
  for (let change = 0; change < 12; change++) {
    expect(changes.waitMs("a")).toBe(0);
    changes.note("a");
    nowMs += 1_000;
  }
  expect(changes.waitMs("a")).toBe(3_600_000 - 12_000);
  expect(changes.waitMs("b")).toBe(0);
  nowMs = 3_600_000;
  expect(changes.waitMs("a")).toBe(0);
});
