/** `npm run bench -- [name] [--rounds N] [--seconds N] [--prepare | --measured]`: measures beside a peer in the same run. */
import { parseArgs } from "node:util";
import { accelBenchmark } from "./accel/accel-benchmark.ts";
import { accelGpuBenchmark } from "./accel-gpu/accel-gpu-benchmark.ts";
import type { Benchmark, Effort, Outcome } from "./benchmark.ts";
import { foldingBenchmark } from "./folding/folding-benchmark.ts";
import { writeResults } from "./report/results-file.ts";
import { table } from "./report/table.ts";
import { serviceBenchmark } from "./service/service-benchmark.ts";
import { shellsBenchmark } from "./shells/shells-benchmark.ts";

const BENCHMARKS: readonly Benchmark[] = [
  accelBenchmark,
  accelGpuBenchmark,
  foldingBenchmark,
  serviceBenchmark,
  shellsBenchmark,
];

const HELP = `Usage: npm run bench -- [name] [--rounds N] [--seconds N] [--prepare | --measured]

Benchmarks:
${BENCHMARKS.map(({ name, describes }) => `  ${name}   ${describes}`).join("\n")}

Without a name all are run that this machine can run. Measure on a quiet machine: each prints a table and writes bench/results/<name>.json.
Rounds and seconds below the default make a trial run: its figures mean little and are not written.
--prepare builds what accel-gpu needs, without a GPU, so that bench/accel-gpu/on-gpu.sh can measure on a machine that has
one and neither Node nor a network; --measured makes the results of what that left in target/accel-gpu/.`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    seconds: { type: "string" },
    prepare: { type: "boolean" },
    measured: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  },
});
const unknown = positionals.find((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (values.help === true) console.log(HELP);
else if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}.\n\n${HELP}`);
  process.exitCode = 2;
} else {
  const named = BENCHMARKS.filter(({ name }) => positionals.includes(name));
  for (const benchmark of named.length > 0 ? named : BENCHMARKS) await oneOf(benchmark, named.length > 0);
}

/** A benchmark that was asked for and cannot run is a failure; one that was not named is left out. */
async function oneOf(benchmark: Benchmark, named: boolean): Promise<void> {
  if (values.prepare === true) await benchmark.prepare?.((text) => console.error(text));
  else if (values.measured === true) await written(benchmark, benchmark.measuredElsewhere?.());
  else {
    const missing = benchmark.missing?.();
    if (missing === undefined) await runOne(benchmark);
    else {
      console.error(`${benchmark.name} is not run. ${missing}.`);
      if (named) process.exitCode = 1;
    }
  }
}

async function runOne(benchmark: Benchmark): Promise<void> {
  const effort: Effort = {
    rounds: count(values.rounds, benchmark.effort.rounds),
    seconds: count(values.seconds, benchmark.effort.seconds),
  };
  const outcome = await benchmark.run(effort, (text) => console.error(text));
  const trial = effort.rounds < benchmark.effort.rounds || effort.seconds < benchmark.effort.seconds;
  if (!trial) return written(benchmark, outcome);
  show(outcome);
  console.log("\nA trial run: nothing was written.");
}

async function written(benchmark: Benchmark, outcome: Outcome | undefined): Promise<void> {
  if (outcome === undefined) return;
  show(outcome);
  console.log(`\nWritten to ${await writeResults(benchmark.name, outcome)}`);
}

function show({ rows, notes }: Outcome): void {
  console.log(`\n${table(rows)}\n\n${notes.map((note) => `- ${note}`).join("\n")}`);
}

function count(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`${text} is not a number from 1 to 9999`);
  return Number(text);
}
