import { expect, test } from "vitest";
import { type StageTime, stageSteps } from "./stage-times.ts";

test("a step is from a stage to the next, of tasks accepted meanwhile that reached both", () => {
  const times: readonly StageTime[] = [
    ["early", "accepted", 99],
    ["early", "durable", 1000],
    ["a", "accepted", 100],
    ["a", "durable", 130],
    ["a", "sent", 135],
    ["b", "durable", 250],
    ["b", "accepted", 200],
    ["late", "accepted", 500],
    ["late", "durable", 1000],
  ];
  expect(stageSteps(times, 100, 500)).toEqual([
    { from: "accepted", to: "durable", p50Us: 30, p95Us: 50, tasks: 2 },
    { from: "durable", to: "sent", p50Us: 5, p95Us: 5, tasks: 1 },
  ]);
});

test("of a stage that was reached again, after a lost node, the first time counts", () => {
  const times: readonly StageTime[] = [
    ["a", "accepted", 0],
    ["a", "sent", 90],
    ["a", "sent", 20],
    ["a", "durable", 10],
  ];
  expect(stageSteps(times, 0, 1).map(({ to, p50Us }) => [to, p50Us])).toEqual([
    ["durable", 10],
    ["sent", 10],
  ]);
});
