import { expect, test } from "vitest";
import type { Benchmark } from "./benchmark/benchmark.ts";
import { helpOf, orderOf } from "./command-line.ts";

const outcome = { versions: {}, notes: [], rows: [] };
const any: Benchmark = {
  name: "any",
  describes: "what is measured here",
  needs: [],
  effort: { rounds: 5, seconds: 1 },
  run: async () => outcome,
};
const here: Benchmark = { ...any, name: "here", baseline: { needs: [], run: async () => outcome } };
const elsewhere: Benchmark = {
  ...any,
  name: "elsewhere",
  effort: { rounds: 2, seconds: 8 },
  prepare: async () => {},
  measuredElsewhere: () => outcome,
};
const order = (...line: readonly string[]) => orderOf(line, [here, elsewhere]);

test("without a name all are run, and with one that alone", () => {
  expect(order()).toEqual({ kind: "act", act: "run", benchmarks: [here, elsewhere], named: false, effort: {} });
  const effort = { rounds: 1, seconds: 20 };
  expect(order("here", "--rounds", "1", "--seconds", "20")).toEqual({
    kind: "act",
    act: "run",
    benchmarks: [here],
    named: true,
    effort,
  });
});

test("prints the help whatever else the line has, with the defaults of each benchmark", () => {
  expect(order("here", "--help")).toEqual({ kind: "help" });
  expect(order("-h")).toEqual({ kind: "help" });
  const help = helpOf([here, elsewhere]);
  expect(help).toContain("  here       what is measured here (5 rounds of 1 s)\n");
  expect(help).toContain("(2 rounds of 8 s)");
  expect(help).toContain("the smallest size of each row");
});

test.each([
  [["nowhere"], "there is no benchmark nowhere"],
  [["here", "--foo"], "Unknown option '--foo'"],
  [["--rounds", "x"], "--rounds is x, which is no number from 1 to 9999"],
  [["--rounds", "0"], "--rounds is 0, which is no number from 1 to 9999"],
  [["--seconds", "abc"], "--seconds is abc, which is no number from 1 to 9999"],
  [["here", "--prepare"], "--prepare is of elsewhere, and here has nothing of the kind"],
  [["here", "--measured"], "--measured is of elsewhere, and here has nothing of the kind"],
  [["--prepare", "--measured"], "--prepare and --measured are two runs"],
  [["--baseline", "HEAD~1", "--prepare"], "--prepare and --baseline are two runs"],
  [["elsewhere", "--baseline", "HEAD~1"], "--baseline is of here, and elsewhere has nothing of the kind"],
  [["here", "--baseline"], "Option '--baseline <value>' argument missing"],
])("rejects %j with one line", (line, why) => {
  expect(order(...line)).toEqual({ kind: "wrong", why });
});

test("what only one benchmark can do is that one's where none is named", () => {
  expect(order("--prepare")).toMatchObject({ act: "prepare", benchmarks: [elsewhere], named: false });
  expect(order("--measured")).toMatchObject({ act: "measured", benchmarks: [elsewhere] });
  expect(order("--baseline", "HEAD~1")).toMatchObject({ act: "baseline", benchmarks: [here], commit: "HEAD~1" });
});
