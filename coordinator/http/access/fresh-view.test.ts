import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FreshView } from "./fresh-view.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A view of some age, and what becomes of a wait for it. */
function viewOf(ageMs: number) {
  const view = { age: ageMs, ageMs: () => view.age };
  const fresh = new FreshView(view);
  const wait = () => {
    const state = { settled: false };
    void fresh.untilFreshOrTimeout().then(() => {
      state.settled = true;
    });
    return state;
  };
  return { view, wait };
}

test.each([0, 1_000, 2_001])("a view of %d ms is not waited for", async (age) => {
  const wait = viewOf(age).wait();
  await vi.advanceTimersByTimeAsync(0);
  expect(wait.settled).toBe(true);
});

test.each([
  ["is young again", 10],
  ["is too old to come back soon", 2_001],
])("all who wait continue when the view %s, and later ones wait again", async (_, becomes) => {
  const { view, wait } = viewOf(1_500);
  const [one, two] = [wait(), wait()];
  await vi.advanceTimersByTimeAsync(200);
  expect([one.settled, two.settled]).toEqual([false, false]);
  view.age = becomes;
  await vi.advanceTimersByTimeAsync(20);
  expect([one.settled, two.settled]).toEqual([true, true]);
  view.age = 1_500;
  const three = wait();
  await vi.advanceTimersByTimeAsync(20);
  expect(three.settled).toBe(false);
});
