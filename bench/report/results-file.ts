/** The file that a benchmark leaves behind. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Outcome } from "../benchmark/benchmark.ts";
import { thisMachine } from "../benchmark/machine.ts";

const FOLDER = join(import.meta.dirname, "..", "results");

/** Writes `bench/results/<name>.json` and returns its path. */
export async function writeResults(name: string, outcome: Outcome): Promise<string> {
  const path = join(FOLDER, `${name}.json`);
  const { machine = thisMachine(), versions, notes, rows } = outcome;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path, `${JSON.stringify({ machine, versions, notes, rows }, null, 2)}\n`);
  return path;
}
