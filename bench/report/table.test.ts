import { expect, test } from "vitest";
import { lessIsBetter, moreIsBetter } from "../benchmark/row.ts";
import { table } from "./table.ts";

const BASE = { name: "done", size: "no-op", threads: 64, unit: "tasks/s", peer_name: "peer" };

test("computes a ratio above 1 where ours is better, whatever the unit", () => {
  expect(moreIsBetter({ ...BASE, ours: 300, peer: 100 }).ratio).toBe(3);
  expect(lessIsBetter({ ...BASE, ours: 2, peer: 6 }).ratio).toBe(3);
});

test("shows for each row with a goal whether it is met, and leaves none out", () => {
  const rows = [
    moreIsBetter({ ...BASE, ours: 150, peer: 100, goal: 1.5 }),
    moreIsBetter({ ...BASE, ours: 149, peer: 100, goal: 1.5 }),
    moreIsBetter({ ...BASE, ours: 1, peer: 100 }),
  ];
  const lines = table(rows).split("\n");
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(/1\.5 met$/);
  expect(lines[2]).toMatch(/1\.5 MISSED$/);
  expect(lines[3]).toMatch(/peer +0\.01$/);
});
