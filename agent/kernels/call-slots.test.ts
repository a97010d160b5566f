import { expect, test } from "vitest";
import { CallSlots } from "./call-slots.ts";

test("of a thread and whoever takes a call back one alone gets it, over the same memory", () => {
  const main = new CallSlots();
  const thread = new CallSlots(main.shared);
  main.reset(0, 1);
  main.reset(1, 1);
  expect([thread.claim(0, 1), main.claim(0, 1)]).toEqual([true, false]);
  expect([main.claim(1, 1), thread.claim(1, 1)]).toEqual([true, false]);
});

test("a thread that still walks over an earlier batch claims nothing of the next", () => {
  const slots = new CallSlots();
  slots.reset(3, 7);
  slots.reset(3, 8);
  expect(slots.claim(3, 7)).toBe(false);
  expect(slots.claim(3, 8)).toBe(true);
});

test("numbers of batches may be more than a word counts", () => {
  const slots = new CallSlots();
  for (const batch of [2 ** 30, 2 ** 31 + 5, 2 ** 40]) {
    slots.reset(0, batch);
    expect([slots.claim(0, batch), slots.claim(0, batch)]).toEqual([true, false]);
  }
});

test("each call has its own words for cancelling and progress", () => {
  const slots = new CallSlots();
  const [first, second] = [slots.wordsOf(0), slots.wordsOf(1)];
  slots.cancel(1);
  first.progress[0] = 250_000;
  expect([first.cancel[0], second.cancel[0], slots.progress(0), slots.progress(1)]).toEqual([0, 1, 250_000, 0]);
  slots.reset(1, 2);
  expect(second.cancel[0]).toBe(0);
});
