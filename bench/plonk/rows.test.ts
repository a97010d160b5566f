import { expect, test } from "vitest";
import { jsonLines } from "../measure/json-lines.ts";
import type { Measured } from "./report.ts";
import { OURS, rowsOf } from "./rows.ts";

const METRICS = ["proof", "witness", "lookups", "products", "quotient", "evaluations", "openings"];

function measured(side: string, median: number, of: Partial<Measured> = {}): readonly Measured[] {
  const common = { workload: "chain-14", name: "Chain of hashes", size: "k = 14", unit: "ms", samples: 7 };
  return METRICS.map((metric) => ({ ...common, side, metric, median, min: median / 2, ...of }));
}

test("compares whole proofs, with a goal, and then their stages in order, without one", () => {
  const rows = rowsOf([...measured("halo2-axiom", 600), ...measured(OURS, 100)], 2);
  expect(rows[0]).toEqual({
    name: "Chain of hashes, proof",
    size: "k = 14",
    threads: 2,
    unit: "ms",
    ours: 100,
    peer: 600,
    peer_name: "halo2-axiom",
    ratio: 6,
    goal: 4,
  });
  expect(rows.map(({ name }) => name)).toEqual(METRICS.map((metric) => `Chain of hashes, ${metric}`));
  expect(rows.slice(1).map(({ goal }) => goal)).toEqual(METRICS.slice(1).map(() => null));
});

test("leaves out a stage that takes no time, and no proof", () => {
  const rows = rowsOf([...measured("halo2-axiom", 0.001), ...measured(OURS, 0.001)], 2);
  expect(rows.map(({ name }) => name)).toEqual(["Chain of hashes, proof"]);
});

test("rejects a report that lacks a side", () => {
  expect(() => rowsOf(measured("halo2-axiom", 600), 2)).toThrow("one side was not measured: chain-14, proof");
});

test("reads a report by its lines", () => {
  const [one] = measured(OURS, 1);
  expect(jsonLines<Measured>(`${JSON.stringify(one)}\n`)).toEqual([one]);
});
