/** The last green run of each compiled suite on this machine. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository, repositoryRoot } from "@elastic/deploy/local/repository.ts";
import type { Count } from "../runners/count.ts";
import type { Runner, RunnerEnd, RunnerOptions } from "../runners/runner.ts";

interface Verdict {
  readonly inputs: string;
  readonly commit: string;
  readonly count: Count;
}

interface Suite {
  readonly name: string;
  /** A hash of all that decides how the suite ends. */
  inputsHash(options: RunnerOptions): Promise<string>;
  readonly run: Runner;
}

/** Runs a suite unless nothing that it depends on has changed since it was green here; on CI it always runs. */
export function unlessUnchanged(
  { name, inputsHash, run }: Suite,
  folder: string = inRepository(".cache", "verdicts"),
): Runner {
  const file = join(folder, `${name}.json`);
  return async (options) => {
    const inputs = await inputsHash(options);
    const last = readVerdict(file);
    if (!options.ci && last?.inputs === inputs) return reused(last);
    const end = await run(options);
    // What changed while it ran was not tested.
    if (isGreen(end.count) && (await inputsHash(options)) === inputs) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, JSON.stringify({ inputs, commit: headCommit(), count: end.count } satisfies Verdict));
    }
    return end;
  };
}

/** What was not run does not count as passed. */
function reused({ commit, count }: Verdict): RunnerEnd {
  const sentence = `unchanged since ${commit}, verdict reused`;
  console.log(sentence);
  const skipped = count.passed + count.skipped;
  return { count: { passed: 0, failed: 0, skipped }, notes: [sentence], timings: [], reused: true };
}

function isGreen({ passed, failed }: Count): boolean {
  return passed > 0 && failed === 0;
}

/** Null where there is none that can be read. */
function readVerdict(file: string): Verdict | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Verdict;
  } catch {
    return null;
  }
}

function headCommit(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: repositoryRoot, encoding: "utf8" }).trim();
}
