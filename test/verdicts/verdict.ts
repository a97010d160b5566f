/** The last green run of each compiled suite on this machine, kept in .cache/verdicts/. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inRepository, repositoryRoot } from "@elastic/deploy/local/repository.ts";
import type { Count } from "../runners/count.ts";
import type { Runner, RunnerEnd, RunnerOptions } from "../runners/runner.ts";
import { inputsHash, type SuiteInputs } from "./inputs-hash.ts";

export interface Verdict {
  readonly inputs: string;
  readonly commit: string;
  readonly count: Count;
}

const fileOf = (suite: string): string => inRepository(".cache", "verdicts", `${suite}.json`);

/** Runs a suite unless nothing that it depends on has changed since it was green here; on CI it always runs. */
export function unlessUnchanged(suite: string, inputs: (options: RunnerOptions) => SuiteInputs, run: Runner): Runner {
  return async (options) => {
    const hash = await inputsHash(inputs(options));
    const last = readVerdict(suite);
    if (!options.ci && last?.inputs === hash) return reused(last);
    const end = await run(options);
    // What changed while it ran was not tested.
    if (isGreen(end.count) && (await inputsHash(inputs(options))) === hash) {
      writeVerdict(suite, { inputs: hash, commit: headCommit(), count: end.count });
    }
    return end;
  };
}

/** What was not run does not count as passed. */
export function reused({ commit, count }: Verdict): RunnerEnd {
  const sentence = `unchanged since ${commit}, verdict reused`;
  console.log(sentence);
  const skipped = count.passed + count.skipped;
  return { count: { passed: 0, failed: 0, skipped }, notes: [sentence], timings: [], reused: true };
}

function isGreen({ passed, failed }: Count): boolean {
  return passed > 0 && failed === 0;
}

/** Null where there is none that can be read. */
function readVerdict(suite: string): Verdict | null {
  try {
    return JSON.parse(readFileSync(fileOf(suite), "utf8")) as Verdict;
  } catch {
    return null;
  }
}

function writeVerdict(suite: string, verdict: Verdict): void {
  mkdirSync(dirname(fileOf(suite)), { recursive: true });
  writeFileSync(fileOf(suite), `${JSON.stringify(verdict, null, 2)}\n`);
}

function headCommit(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: repositoryRoot, encoding: "utf8" }).trim();
}
