import { expect, test } from "vitest";
import { StartReporter, type StartStep } from "./start-progress.ts";

function reporting() {
  let nowMs = 0;
  const progress = new StartReporter({ now: () => 0, monotonicMs: () => nowMs });
  const take = (step: StartStep, doneBytes: number, atMs: number): boolean => {
    nowMs = atMs;
    return progress.take({ step, doneBytes, totalBytes: 100 });
  };
  return { progress, take };
}

test("reports each step at once, and bytes twice a second", () => {
  const { take, progress } = reporting();
  expect(take("pulling", 0, 0)).toBe(true);
  expect(take("pulling", 10, 100)).toBe(false);
  expect(take("pulling", 20, 499)).toBe(false);
  expect(take("pulling", 30, 500)).toBe(true);
  expect(take("pulling", 40, 600)).toBe(false);
  expect(take("starting", 50, 601)).toBe(true);
  expect(progress.latest).toMatchObject({ step: "starting", doneBytes: 50 });
});

test("retains progress that was not reported, until a new start", () => {
  const { take, progress } = reporting();
  take("pulling", 0, 0);
  take("pulling", 99, 1);
  expect(progress.latest?.doneBytes).toBe(99);
  progress.reset();
  expect(progress.latest).toBeNull();
  expect(take("pulling", 0, 2)).toBe(true);
});
