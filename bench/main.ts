/** `npm run bench -- [name] [--rounds N] [--seconds N]`: measures beside a peer in the same run. */
import { parseArgs } from "node:util";
import { accelBenchmark } from "./accel/accel-benchmark.ts";
import type { Benchmark, Effort } from "./benchmark.ts";
import { writeResults } from "./report/results-file.ts";
import { table } from "./report/table.ts";
import { serviceBenchmark } from "./service/service-benchmark.ts";
import { shellsBenchmark } from "./shells/shells-benchmark.ts";

const BENCHMARKS: readonly Benchmark[] = [accelBenchmark, serviceBenchmark, shellsBenchmark];

const HELP = `Usage: npm run bench -- [name] [--rounds N] [--seconds N]

Benchmarks:
${BENCHMARKS.map(({ name, describes }) => `  ${name}   ${describes}`).join("\n")}

Without a name all are run. Measure on a quiet machine: each prints a table and writes bench/results/<name>.json.
Rounds and seconds below the default make a trial run: its figures mean little and are not written.`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string" }, seconds: { type: "string" }, help: { type: "boolean", short: "h" } },
});
const unknown = positionals.find((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (values.help === true) console.log(HELP);
else if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}.\n\n${HELP}`);
  process.exitCode = 2;
} else {
  for (const benchmark of BENCHMARKS) {
    if (positionals.length === 0 || positionals.includes(benchmark.name)) await runOne(benchmark);
  }
}

async function runOne(benchmark: Benchmark): Promise<void> {
  const effort: Effort = {
    rounds: count(values.rounds, benchmark.effort.rounds),
    seconds: count(values.seconds, benchmark.effort.seconds),
  };
  const outcome = await benchmark.run(effort, (text) => console.error(text));
  console.log(`\n${table(outcome.rows)}\n\n${outcome.notes.map((note) => `- ${note}`).join("\n")}`);
  const trial = effort.rounds < benchmark.effort.rounds || effort.seconds < benchmark.effort.seconds;
  if (trial) console.log("\nA trial run: nothing was written.");
  else console.log(`\nWritten to ${await writeResults(benchmark.name, outcome)}`);
}

function count(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`${text} is not a number from 1 to 9999`);
  return Number(text);
}
