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
const ALL_ROWS = { shares: true };
const rowFor = (peer: string, of: Report = report) => rowsOf(of, ALL_ROWS).find(({ peer_name }) => peer_name === peer);

test("compares ours with each peer of the row, with the goal that the row has for that peer", () => {
  expect(rowFor("sppark")).toMatchObject({ unit: "ms", ours: 20, peer: 50, ratio: 2.5, goal: 2 });
  expect(rowFor("zkaccel cpu")).toMatchObject({ ours: 20, peer: 900, ratio: 45, goal: null });
});

test("shows a goal in milliseconds on any GPU, and counts it on the one that it is for", () => {
  expect(rowFor("goal on an H200")).toMatchObject({ ours: 20, peer: 15, ratio: 0.75, goal: 1 });
  const elsewhere = rowFor("goal on an H200", { ...report, gpu: "NVIDIA A100-SXM4-80GB" });
  expect(elsewhere).toMatchObject({ ours: 20, peer: 15, ratio: 0.75, goal: null });
});

test("shows work as a share of the multiplications that the GPU was seen to make", () => {
  const share = rowsOf(report, ALL_ROWS).find(({ unit }) => unit === "%");
  expect(share).toMatchObject({ name: "multi-scalar multiplication, share of the GPU's multiplications", ours: 50 });
  expect(rowsOf({ ...report, rates: [] }, ALL_ROWS).some(({ unit }) => unit === "%")).toBe(false);
});

test("compares chains of multiplications that do not wait for each other with those that do", () => {
  expect(rowFor("field multiplications, one chain a thread")).toMatchObject({ ours: 40, peer: 30, unit: "billion/s" });
});

test("leaves out a row without ours, which the GPU's backend cannot do", () => {
  const contenders = msm.contenders.filter(({ name }) => name !== "zkaccel gpu");
  expect(rowsOf({ ...report, rates: [], rows: [{ ...msm, contenders }] }, ALL_ROWS)).toEqual([]);
});

test("reads a report by its lines, in whatever order, and rejects one that does not name its machine", () => {
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
  expect(() => parseReport(lines.slice(1).join("\n"))).toThrow("does not name its machine");
});
