import { expect, test } from "vitest";
import type { StartStep } from "./start-progress.ts";
import { StartStages } from "./start-stages.ts";

function staged(
  ...reports: readonly (readonly [atMs: number, step: StartStep, doneBytes: number, totalBytes: number])[]
) {
  let nowMs = 0;
  const stages = new StartStages({ monotonicMs: () => nowMs });
  for (const [atMs, step, doneBytes, totalBytes] of reports) {
    nowMs = atMs;
    stages.take({ step, doneBytes, totalBytes });
  }
  nowMs = 1_000;
  return Object.fromEntries(stages.end());
}

test("adds up the time of each stage of a container, unpacking from the last byte on", () => {
  expect(
    staged(
      [0, "pulling", 0, 0],
      [10, "pulling", 5, 10],
      // Another layer begins after the first has arrived.
      [20, "pulling", 10, 10],
      [25, "pulling", 10, 30],
      [100, "pulling", 30, 30],
      [300, "fetching", 0, 7],
      [310, "starting", 37, 37],
      [400, "checking", 37, 37],
      [500, "checking", 37, 37],
    ),
  ).toEqual({ pull: 95, unpack: 205, fetch: 10, start: 90, ready: 600 });
});

test("leaves out stages that a start did not go through", () => {
  expect(staged([900, "starting", 0, 0])).toEqual({ start: 100 });
  expect(staged()).toEqual({});
});
