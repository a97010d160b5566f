import { expect, test } from "vitest";
import type { MeasuredRow } from "./report.ts";
import { rowsOf } from "./rows.ts";

const rate: MeasuredRow = {
  name: "multiplications in cache",
  size: "4096 x 256",
  threads: 2,
  contenders: [
    { name: "zkaccel ifma", median: 2 },
    { name: "zkaccel adx", median: 8 },
  ],
  multiplications: 1_000_000,
};
const msm: MeasuredRow = {
  name: "multi-scalar multiplication",
  size: "2^18",
  threads: 2,
  contenders: [
    { name: "zkaccel ifma", median: 400 },
    { name: "zkaccel adx", median: 1000 },
    { name: "halo2curves", median: 1200 },
    { name: "arkworks", median: 900 },
  ],
  multiplications: 100_000_000,
};
const ALL_ROWS = { shares: true };
/** Rows of these, without any of memory. */
const of = (...rows: MeasuredRow[]) => rowsOf({ library: { isa: "ifma" }, rows, scratch: [] }, ALL_ROWS);
const rows = of(rate, msm);

test("compares each of ours with each peer, losing rows too", () => {
  const ratios = rows.filter(({ unit }) => unit === "ms").map(({ name, peer_name, ratio }) => [name, peer_name, ratio]);
  expect(ratios).toEqual([
    ["multi-scalar multiplication, ifma", "halo2curves", 3],
    ["multi-scalar multiplication, ifma", "arkworks", 2.25],
    ["multi-scalar multiplication, adx", "halo2curves", 1.2],
    ["multi-scalar multiplication, adx", "arkworks", 0.9],
  ]);
});

test("goals are to halo2curves with two threads, and differ by the instructions", () => {
  expect(rows.map(({ goal }) => goal).filter((goal) => goal !== null)).toEqual([3, 1.3]);
  const alone = of({ ...msm, threads: 1 });
  expect(alone.every(({ goal }) => goal === null)).toBe(true);
});

test("a transform's goal and an inversion's are their own", () => {
  const goalsOf = (name: string) =>
    of({ ...msm, name, size: "2^20" })
      .filter(({ goal }) => goal !== null)
      .map(({ goal }) => goal);
  expect(goalsOf("number theoretic transform")).toEqual([2.5, 1.3]);
  expect(goalsOf("batch inversion")).toEqual([3, 3]);
});

test("shows work as a share of the multiplications that the CPU was seen to make with as many threads", () => {
  const share = rows.find(({ unit }) => unit === "%");
  expect(share).toMatchObject({ ours: 50, peer: 100, ratio: 0.5 });
  expect(rows.find(({ unit }) => unit === "million/s")).toMatchObject({ ours: 500, peer: 125, ratio: 4 });
  const other = of(rate, { ...msm, threads: 1 });
  expect(other.some(({ unit }) => unit === "%")).toBe(false);
});

test("leaves out shares in a trial, which measures too little for them", () => {
  const trial = rowsOf({ library: { isa: "ifma" }, rows: [rate, msm], scratch: [] }, { shares: false });
  expect(trial).toEqual(rows.filter(({ unit }) => unit !== "%"));
});

test("compares the memory that was taken with the plan, which it may not exceed", () => {
  const scratch = { name: "multi-scalar multiplication", size: "2^20", threads: 2, planned_bytes: 6 * 2 ** 20 };
  const report = { library: { isa: "ifma" }, rows: [] };
  const [within] = rowsOf({ ...report, scratch: [{ ...scratch, taken_bytes: 6 * 2 ** 20 }] }, ALL_ROWS);
  expect(within).toMatchObject({ unit: "MiB", ours: 6, peer: 6, peer_name: "planned", ratio: 1, goal: 1 });
  const [broken] = rowsOf({ ...report, scratch: [{ ...scratch, taken_bytes: 8 * 2 ** 20 }] }, ALL_ROWS);
  expect(broken).toMatchObject({ ours: 8, ratio: 0.75, goal: 1 });
});
