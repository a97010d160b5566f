import { expect, test } from "vitest";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import type { RunnerEnd } from "../runners/runner.ts";
import { unlessUnchanged } from "./verdict.ts";

const HERE = { long: false, ci: false };
const GREEN: RunnerEnd = { count: { passed: 5, failed: 0, skipped: 2 }, notes: [], timings: [] };
const RED: RunnerEnd = { count: { passed: 5, failed: 1, skipped: 0 }, notes: [], timings: [] };

/** A suite that counts its runs; `state` is what it depends on. */
function suite(folder: string) {
  const state = { inputs: "a", end: GREEN, runs: 0, meanwhile: () => {} };
  const run = unlessUnchanged(
    {
      name: "compiled",
      inputsHash: async () => state.inputs,
      run: async () => {
        state.runs += 1;
        state.meanwhile();
        return state.end;
      },
    },
    folder,
  );
  return { state, run };
}

test("runs an unchanged suite once, and then counts its tests as skipped", async () => {
  using folder = makeWorkFolder();
  const { state, run } = suite(folder.path);
  expect(await run(HERE)).toBe(GREEN);
  const again = await run(HERE);
  expect(again.count).toEqual({ passed: 0, failed: 0, skipped: 7 });
  expect(again.reused).toBe(true);
  expect(again.notes[0]).toMatch(/^unchanged since [0-9a-f]+, verdict reused$/);
  expect(state.runs).toBe(1);
});

test("runs a suite again whose inputs changed", async () => {
  using folder = makeWorkFolder();
  const { state, run } = suite(folder.path);
  await run(HERE);
  state.inputs = "b";
  expect(await run(HERE)).toBe(GREEN);
  expect(state.runs).toBe(2);
});

test("runs every suite on CI", async () => {
  using folder = makeWorkFolder();
  const { state, run } = suite(folder.path);
  await run(HERE);
  expect(await run({ ...HERE, ci: true })).toBe(GREEN);
  expect(state.runs).toBe(2);
});

test("reuses no verdict of a run that failed", async () => {
  using folder = makeWorkFolder();
  const { state, run } = suite(folder.path);
  state.end = RED;
  await run(HERE);
  expect(await run(HERE)).toBe(RED);
  expect(state.runs).toBe(2);
});

test("reuses no verdict of a run while which an input changed", async () => {
  using folder = makeWorkFolder();
  const { state, run } = suite(folder.path);
  state.meanwhile = () => {
    state.inputs = "b";
  };
  await run(HERE);
  state.inputs = "a";
  await run(HERE);
  state.inputs = "b";
  await run(HERE);
  expect(state.runs).toBe(3);
});
