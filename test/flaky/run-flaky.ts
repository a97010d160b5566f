/** Runs the system tier again and again under load, and reports what failed how often. */
import { availableParallelism } from "node:os";
import { matching } from "../files.ts";
import { trackedPaths } from "../house-rules/source-files.ts";
import { add, type Count, NONE, sentence } from "../runners/count.ts";
import { runVitest } from "../runners/vitest.ts";
import { setUpFor } from "../set-up.ts";
import { tierOf } from "../tiers.ts";
import { type Failures, failuresIn, failuresTable } from "./failures.ts";

/** The files are each other's load: several times as many at once as in a run of the suite. */
const FILES_PER_CORE = 3;
const OUTPUT_LINES_SHOWN = 80;

export async function runFlaky(options: { readonly times: number; readonly words: readonly string[] }): Promise<Count> {
  const { times, words } = options;
  const system = trackedPaths().filter((path) => tierOf(path) === "system");
  const files = words.length === 0 ? system : matching(words, system);
  if (files.length === 0) {
    console.error(`no file of the system tier has ${words.join(" or ")} in its path`);
    return { ...NONE, failed: 1 };
  }
  if (!(await setUpFor(["system"]))) return { ...NONE, failed: 1 };
  const workers = `--maxWorkers=${availableParallelism() * FILES_PER_CORE}`;
  const failures: Failures = new Map();
  let total = NONE;
  for (let time = 1; time <= times; time += 1) {
    const began = performance.now();
    const run = await runVitest(["--project", "system", workers, ...files], { show: false });
    const seconds = Math.round((performance.now() - began) / 1000);
    total = add(total, run.count);
    console.log(`run ${time} of ${times}: ${sentence(run.count)} (${files.length} files, ${seconds} s)`);
    if (run.count.failed > 0) console.log(run.output.trimEnd().split("\n").slice(-OUTPUT_LINES_SHOWN).join("\n"));
    for (const name of failuresIn(run.files)) failures.set(name, (failures.get(name) ?? 0) + 1);
  }
  console.log(`\n${failuresTable(failures, times)}`);
  return total;
}
