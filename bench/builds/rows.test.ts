import { expect, test } from "vitest";
import { rowsOf } from "./rows.ts";

test("compares builds with cargo, and proofs next to hostile builds with proofs alone", () => {
  const rows = rowsOf({
    cores: 2,
    sourceKibibytes: 12.4,
    ours: [
      { cold: 100, warm: 5, edited: 20 },
      { cold: 80, warm: 4, edited: 22 },
      { cold: 90, warm: 9, edited: 30 },
    ],
    cargo: [{ cold: 45, warm: 0.1, edited: 11 }],
    proofsPerSecond: 1,
    alone: [[100, 100, 200]],
    disturbed: [
      [110, 120, 290],
      [110, 120, 300],
      [110, 120, 900],
    ],
  });
  expect(rows.map(({ name, ours, peer, ratio, goal }) => [name, ours, peer, ratio, goal && goal <= ratio])).toEqual([
    ["build and deploy, cold cache", 90, 45, 0.5, null],
    ["build and deploy, warm cache", 5, 0.1, 0.02, null],
    ["build and deploy, one line edited", 22, 11, 0.5, null],
    ["proofs, p50, next to hostile builds", 120, 100, 0.8333, null],
    ["proofs, p95, next to hostile builds", 300, 200, 0.6667, true],
  ]);
});
