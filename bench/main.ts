/** `npm run bench -- [name] [--rounds N] [--seconds N] [--prepare | --measured]`: measures and compares with a peer in the same run. */
import { spawnSync } from "node:child_process";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { accelBenchmark } from "./accel/accel-benchmark.ts";
import { accelGpuBenchmark } from "./accel-gpu/accel-gpu-benchmark.ts";
import { type Benchmark, type Effort, isTrial, type Outcome } from "./benchmark/benchmark.ts";
import { buildsBenchmark } from "./builds/builds-benchmark.ts";
import { helpOf, type Order, orderOf, USAGE_EXIT } from "./command-line.ts";
import { consoleBenchmark } from "./console/console-benchmark.ts";
import { foldingBenchmark } from "./folding/folding-benchmark.ts";
import { recoveryBenchmark } from "./recovery/recovery-benchmark.ts";
import { writeResults } from "./report/results-file.ts";
import { table } from "./report/table.ts";
import { serviceBenchmark } from "./service/service-benchmark.ts";
import { shellsBenchmark } from "./shells/shells-benchmark.ts";

const BENCHMARKS: readonly Benchmark[] = [
  accelBenchmark,
  accelGpuBenchmark,
  buildsBenchmark,
  consoleBenchmark,
  foldingBenchmark,
  recoveryBenchmark,
  serviceBenchmark,
  shellsBenchmark,
];

const order = orderOf(process.argv.slice(2), BENCHMARKS);
if (order.kind === "help") console.log(helpOf(BENCHMARKS));
else if (order.kind === "wrong") {
  console.error(`bench: ${order.why}; npm run bench -- --help lists them`);
  process.exitCode = USAGE_EXIT;
} else await act(order);

type Orders = Extract<Order, { readonly kind: "act" }>;

async function act({ act, benchmarks, named, effort }: Orders): Promise<void> {
  if (act !== "measured" && !setUpFor(benchmarks)) return;
  for (const benchmark of benchmarks) {
    if (act === "prepare") await benchmark.prepare?.((text) => console.error(text));
    else if (act === "measured") await written(benchmark, benchmark.measuredElsewhere?.());
    else await runIfPossible(benchmark, named, { ...benchmark.effort, ...effort });
  }
}

/** Quick where nothing is missing. Set-up itself reports what is wrong. */
function setUpFor(benchmarks: readonly Benchmark[]): boolean {
  const parts = new Set(benchmarks.flatMap(({ needs }) => needs));
  const { status } = spawnSync("bash", [inRepository("deploy", "setup.sh"), ...parts], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
  return status === 0;
}

/** A benchmark that was named and cannot run is a failure; one that was not named is left out. */
async function runIfPossible(benchmark: Benchmark, named: boolean, effort: Effort): Promise<void> {
  const missing = benchmark.missing?.();
  if (missing === undefined) return runOne(benchmark, effort);
  console.error(`${benchmark.name} is not run. ${missing}.`);
  if (named) process.exitCode = 1;
}

async function runOne(benchmark: Benchmark, effort: Effort): Promise<void> {
  const outcome = await benchmark.run(effort, (text) => console.error(text));
  if (!isTrial(effort, benchmark.effort)) return written(benchmark, outcome);
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
