import { expect, test } from "vitest";
import { jsonLines } from "../measure/json-lines.ts";
import type { Measured } from "./report.ts";
import { OURS, rowsOf } from "./rows.ts";

const peer: Measured = {
  workload: "minroot-32768",
  name: "MinRoot",
  size: "32768 iterations",
  threads: 2,
  side: "nova-snark",
  metric: "step",
  unit: "ms",
  median: 180,
  min: 160,
  samples: 10,
};
const ours: Measured = { ...peer, side: OURS, median: 120, min: 100 };

test("compares ours with the peer: a step by its median, with a goal, and by its quickest, without one", () => {
  expect(rowsOf([peer, ours])).toEqual([
    {
      name: "MinRoot, step",
      size: "32768 iterations",
      threads: 2,
      unit: "ms",
      ours: 120,
      peer: 180,
      peer_name: "nova-snark",
      ratio: 1.5,
      goal: 8,
    },
    expect.objectContaining({ name: "MinRoot, step, the quickest", ours: 100, peer: 160, ratio: 1.6, goal: null }),
  ]);
});

test("compares with the built-in code in the same rows, without a goal", () => {
  const builtIn = { ...peer, side: "elastic-folding, built-in", median: 240, min: 200 };
  const rows = rowsOf([ours, builtIn, peer]);
  expect(rows.map(({ name, peer_name, ratio, goal }) => [name, peer_name, ratio, goal])).toEqual([
    ["MinRoot, step", "elastic-folding, built-in", 2, null],
    ["MinRoot, step, the quickest", "elastic-folding, built-in", 2, null],
    ["MinRoot, step", "nova-snark", 1.5, 8],
    ["MinRoot, step, the quickest", "nova-snark", 1.6, null],
  ]);
});

test("shows what takes more than the peer, and has a goal for the wall time of steps alone", () => {
  const of = (side: string, median: number) => ({ ...peer, side, metric: "step, CPU", median });
  expect(rowsOf([of("nova-snark", 300), of(OURS, 400)])).toEqual([
    expect.objectContaining({ name: "MinRoot, step, CPU", ours: 400, peer: 300, ratio: 0.75, goal: null }),
  ]);
});

test("rejects a report that has the peer and not ours, whatever of ours is missing", () => {
  expect(() => rowsOf([peer])).toThrow("elastic-folding, zkaccel was not measured: minroot-32768, step");
  const compress = { ...peer, metric: "compress" };
  expect(() => rowsOf([peer, ours, compress])).toThrow("minroot-32768, compress");
  expect(() => rowsOf([peer, { ...ours, workload: "minroot-1024" }])).toThrow("minroot-32768, step");
  expect(() => rowsOf([peer, { ...ours, threads: 1 }])).toThrow("minroot-32768, step");
});

test("reads a report by its lines", () => {
  expect(jsonLines<Measured>(`${JSON.stringify(peer)}\n${JSON.stringify(ours)}\n`)).toEqual([peer, ours]);
});
