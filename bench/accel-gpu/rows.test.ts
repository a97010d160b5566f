import { expect, test } from "vitest";
import type { MeasuredRow } from "../accel/report.ts";
import { parseReport, type Report } from "./report.ts";
import { rowsOf } from "./rows.ts";

const msm: MeasuredRow = {
  name: "multi-scalar multiplication",
  size: "2^22",
  threads: 0,
  contenders: [
    { name: "zkaccel gpu", median: 20 },
    { name: "sppark", median: 50 },
    { name: "zkaccel cpu", median: 900 },
  ],
  multiplications: 400_000_000,
};
const report: Report = {
  gpu: "NVIDIA H200",
  machine: { cpu: "any", cores: 16, memory_bytes: 2 ** 37 },
  rates: [
    { name: "field multiplications, one chain a thread", unit: "billion/s", value: 30 },
    { name: "field multiplications, four chains a thread", unit: "billion/s", value: 40 },
  ],
  rows: [msm],
  leftOut: [],
};
const TOLD = { shares: true };
const beside = (peer: string, of: Report = report) => rowsOf(of, TOLD).find(({ peer_name }) => peer_name === peer);

test("ours stands beside each peer of the row, with the goal that the row has for that peer", () => {
  expect(beside("sppark")).toMatchObject({ unit: "ms", ours: 20, peer: 50, ratio: 2.5, goal: 2 });
  expect(beside("zkaccel cpu")).toMatchObject({ ours: 20, peer: 900, ratio: 45, goal: null });
});

test("a goal in milliseconds is told on any GPU, and counts on the one that it is for", () => {
  expect(beside("goal on an H200")).toMatchObject({ ours: 20, peer: 15, ratio: 0.75, goal: 1 });
  const elsewhere = beside("goal on an H200", { ...report, gpu: "NVIDIA A100-SXM4-80GB" });
  expect(elsewhere).toMatchObject({ ours: 20, peer: 15, ratio: 0.75, goal: null });
});

test("work is told as a share of the multiplications that the GPU was seen to make", () => {
  const share = rowsOf(report, TOLD).find(({ unit }) => unit === "%");
  expect(share).toMatchObject({ name: "multi-scalar multiplication, share of the GPU's multiplications", ours: 50 });
  expect(rowsOf({ ...report, rates: [] }, TOLD).some(({ unit }) => unit === "%")).toBe(false);
});

test("chains of multiplications that do not wait for each other stand beside those that do", () => {
  expect(beside("field multiplications, one chain a thread")).toMatchObject({ ours: 40, peer: 30, unit: "billion/s" });
});

test("a row without ours, which the GPU's backend cannot do, is left out", () => {
  const contenders = msm.contenders.filter(({ name }) => name !== "zkaccel gpu");
  expect(rowsOf({ ...report, rates: [], rows: [{ ...msm, contenders }] }, TOLD)).toEqual([]);
});

test("a report is read by its lines, in whatever order, and one that does not name its machine is refused", () => {
  const lines = [
    { library: { name: report.gpu, backend: "cuda" } },
    { machine: report.machine },
    ...report.rates.map((rate) => ({ rate })),
    { row: msm },
    { left_out: "quotient: not on this GPU" },
  ].map((line) => JSON.stringify(line));
  expect(parseReport(`${lines.toReversed().join("\n")}\n`)).toEqual({
    ...report,
    rates: report.rates.toReversed(),
    leftOut: ["quotient: not on this GPU"],
  });
  expect(() => parseReport(lines.slice(1).join("\n"))).toThrow("of which machine");
});
