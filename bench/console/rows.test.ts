import { expect, test } from "vitest";
import { rowsOf } from "./rows.ts";

test("compares live updates with no clients and with polling, and lists with what they may take", () => {
  const turn = (cpuMsPerSecond: number, ...doneMs: number[]) => ({ cpuMsPerSecond, doneMs });
  const rows = rowsOf({
    clients: 200,
    tasksPerSecond: 100,
    alone: [turn(100, 1, 4), turn(90, 2, 4), turn(200, 2, 8)],
    live: [turn(110, 2, 5), turn(125, 2, 9), turn(400, 2, 5)],
    polling: [turn(250, 1, 1)],
    lists: [{ name: "newest page", rounds: [[1, 2, 25], [50]] }],
    listedTasks: 100_000,
    cpuSlowdown: 4,
    pages: [
      { paintedMs: 300, usableMs: 900 },
      { paintedMs: 600, usableMs: 4_000 },
      { paintedMs: 750, usableMs: 1_500 },
    ],
  });
  expect(rows.map(({ name, ours, peer, ratio, goal }) => [name, ours, peer, ratio, goal && goal <= ratio])).toEqual([
    ["coordinator's CPU with live updates", 125, 100, 0.8, false],
    ["coordinator's CPU with live updates", 125, 250, 2, null],
    ["create to done, p95, with live updates", 5, 4, 0.8, null],
    ["list of tasks, newest page, p95", 37.5, 100, 2.667, true],
    ["first contentful paint", 600, 1500, 2.5, true],
    ["first click has an effect", 1500, 3000, 2, true],
  ]);
});
