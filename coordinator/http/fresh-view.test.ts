import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FreshView } from "./fresh-view.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

function viewOf(ageMs: () => number) {
  const view = new FreshView({ ageMs });
  return () => {
    let settled = false;
    void view.comesOrNot().then(() => {
      settled = true;
    });
    return () => settled;
  };
}

test("a young view is not waited for, nor one that is too old to come back soon", async () => {
  for (const age of [0, 1_000, 2_001]) {
    const settled = viewOf(() => age)();
    await Promise.resolve();
    expect([age, settled()]).toEqual([age, true]);
  }
});
