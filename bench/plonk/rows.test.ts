import { expect, test } from "vitest";
import { jsonLines } from "../measure/json-lines.ts";
import type { Measured } from "./report.ts";
import { type Comparison, rowsOf } from "./rows.ts";

const OURS = "elastic-plonk";
const COMPARISON: Comparison = { ours: OURS, threads: 2, goal: (peer) => (peer === "halo2-axiom" ? 4 : undefined) };
const METRICS = ["proof", "witness", "lookups", "products", "quotient", "evaluations", "openings"];

function measured(side: string, median: number, of: Partial<Measured> = {}): readonly Measured[] {
  const common = { workload: "chain-14", name: "Chain of hashes", size: "k = 14", unit: "ms", samples: 7 };
  return METRICS.map((metric) => ({ ...common, side, metric, median, min: median / 2, ...of }));
}

test("compares whole proofs, with a goal, and then their stages in order, without one", () => {
  const rows = rowsOf([...measured("halo2-axiom", 600), ...measured(OURS, 100)], COMPARISON);
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
  const rows = rowsOf([...measured("halo2-axiom", 0.001), ...measured(OURS, 0.001)], COMPARISON);
  expect(rows.map(({ name }) => name)).toEqual(["Chain of hashes, proof"]);
});

test("compares with each peer, and has no row of one that did not prove a workload", () => {
  const rows = rowsOf(
    [
      ...measured(OURS, 100),
      ...measured("halo2-axiom", 600),
      ...measured("other", 200),
      ...measured(OURS, 50, { workload: "chain-17" }),
      ...measured("other", 100, { workload: "chain-17" }),
    ],
    COMPARISON,
  );
  const proofs = rows.filter(({ name }) => name === "Chain of hashes, proof");
  expect(proofs.map(({ peer_name, ratio, goal }) => [peer_name, ratio, goal])).toEqual([
    ["halo2-axiom", 6, 4],
    ["other", 2, null],
    ["other", 2, null],
  ]);
});

test("rejects a report that lacks ours", () => {
  expect(() => rowsOf(measured("halo2-axiom", 600), COMPARISON)).toThrow("ours was not measured: chain-14, proof");
});

test("reads a report by its lines", () => {
  const [one] = measured(OURS, 1);
  expect(jsonLines<Measured>(`${JSON.stringify(one)}\n`)).toEqual([one]);
});
