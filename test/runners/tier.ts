/** Runs all test files of one tier. */
import { whyNoEngineHere } from "../cluster/engine.ts";
import { trackedPaths } from "../house-rules/source-files.ts";
import { type TierName, tierOf } from "../tiers.ts";
import { add, type Count, NONE } from "./count.ts";
import type { RunnerEnd, RunnerOptions } from "./runner.ts";
import { runVitest, timingOf } from "./vitest.ts";

export async function runTier(tier: TierName, { ci }: RunnerOptions): Promise<RunnerEnd> {
  const { count, skipped, failed, files } = await runVitest(["--project", tier], { show: true });
  const notRun = missingFrom(
    files.map(({ path }) => path),
    trackedPaths().filter((path) => tierOf(path) === tier),
  );
  return {
    count: [count, failures(notRun.length), failures(ci && skipped.length > 0 ? 1 : 0)].reduce(add),
    notes: [...failed, ...notRun.map((path) => `${path} was not run`), ...(await whySkipped(skipped, ci))],
    timings: files.map(timingOf),
  };
}

/** A tier that leaves out one of its files must not pass. */
export function missingFrom(seen: readonly string[], expected: readonly string[]): readonly string[] {
  const run = new Set(seen);
  return expected.filter((path) => !run.has(path));
}

async function whySkipped(names: readonly string[], ci: boolean): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const why = (await whyNoEngineHere()) ?? "no reason that is known";
  return [
    `${ci ? "on CI nothing may be skipped, and was " : "skipped, "}for ${why}:`,
    ...names.map((name) => `  ${name}`),
  ];
}

function failures(failed: number): Count {
  return { ...NONE, failed };
}
