import { expect, test } from "vitest";
import type { Costs } from "../service/compare.ts";
import { rowsOf } from "./rows.ts";

/** Three rounds in which the coordinator takes so many milliseconds a task, and tasks so many to start. */
const rounds = (coordinator: number, startMs: number): Costs =>
  [1, 3, 2].map((factor) => ({
    tasks: 10,
    tasksPerSecond: 100 / factor,
    startMs: [startMs * factor],
    doneMs: [2 * startMs * factor],
    cpu: {
      all: 9,
      withoutClient: 2 * coordinator * factor,
      of: { coordinator: coordinator * factor, etcd: 1, agent: 1 },
    },
  }));

test("has the ratios of CPU time and of latency at every load, above 1 where the present commit is better", () => {
  const sides = { present: rounds(1, 4), baseline: rounds(3, 2) };
  const rows = rowsOf({ saturated: sides, rates: [{ perSecond: 100, of: sides }] }, "baseline 0123");
  const ratio = (name: string) => rows.filter((row) => row.name === name).map((row) => [row.size, row.ratio]);
  expect(ratio("CPU a task, all processes")).toEqual([
    ["saturated", 3],
    ["100 tasks/s", 3],
  ]);
  expect(ratio("CPU a task, coordinator")).toEqual(ratio("CPU a task, all processes"));
  expect(ratio("create to start, p95")).toEqual([["100 tasks/s", 0.5]]);
  expect(ratio("create to done, p50")).toEqual([
    ["saturated", 0.5],
    ["100 tasks/s", 0.5],
  ]);
  expect(rows.every(({ peer_name, goal }) => peer_name === "baseline 0123" && goal === null)).toBe(true);
});
