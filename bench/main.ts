/** `npm run bench -- [name…] [options]`: measures and compares with a peer in the same run. */
import { spawnSync } from "node:child_process";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { accelBenchmark } from "./accel/accel-benchmark.ts";
import { accelGpuBenchmark } from "./accel-gpu/accel-gpu-benchmark.ts";
import { type Benchmark, type Effort, isTrial, type Outcome } from "./benchmark/benchmark.ts";
import { buildsBenchmark } from "./builds/builds-benchmark.ts";
import { cancelBenchmark } from "./cancel/cancel-benchmark.ts";
import { helpOf, type Order, orderOf, USAGE_EXIT } from "./command-line.ts";
import { commitOf } from "./commits/checkout.ts";
import { baseline } from "./commits/compare-commits.ts";
import { consoleBenchmark } from "./console/console-benchmark.ts";
import { fleetBenchmark } from "./fleet/fleet-benchmark.ts";
import { foldingBenchmark } from "./folding/folding-benchmark.ts";
import { plonkBenchmark } from "./plonk/plonk-benchmark.ts";
import { plonkGpuBenchmark } from "./plonk-gpu/plonk-gpu-benchmark.ts";
import { poolsBenchmark } from "./pools/pools-benchmark.ts";
import { queuedBenchmark } from "./queued/queued-benchmark.ts";
import { recoveryBenchmark } from "./recovery/recovery-benchmark.ts";
import { writeResults } from "./report/results-file.ts";
import { table } from "./report/table.ts";
import { serviceBenchmark } from "./service/service-benchmark.ts";
import { shellsBenchmark } from "./shells/shells-benchmark.ts";

const BENCHMARKS: readonly Benchmark[] = [
  accelBenchmark,
  accelGpuBenchmark,
  buildsBenchmark,
  cancelBenchmark,
  consoleBenchmark,
  fleetBenchmark,
  foldingBenchmark,
  plonkBenchmark,
  plonkGpuBenchmark,
  poolsBenchmark,
  queuedBenchmark,
  recoveryBenchmark,
  { ...serviceBenchmark, baseline },
  shellsBenchmark,
];

const order = orderOf(process.argv.slice(2), BENCHMARKS);
if (order.kind === "help") console.log(helpOf(BENCHMARKS));
else if (order.kind === "wrong") {
  console.error(`bench: ${order.why}; npm run bench -- --help lists them`);
  process.exitCode = USAGE_EXIT;
} else await act(order);

type Orders = Extract<Order, { readonly kind: "act" }>;

async function act({ act, benchmarks, named, effort, commit }: Orders): Promise<void> {
  if (act === "baseline") return compare(benchmarks, commit ?? "", effort);
  if (act !== "measured" && !setUpFor(benchmarks.flatMap(({ needs }) => needs))) return;
  for (const benchmark of benchmarks) {
    if (act === "prepare") await benchmark.prepare?.((text) => console.error(text));
    else if (act === "profile")
      console.log(await benchmark.profile?.({ ...benchmark.effort, ...effort }, console.error));
    else if (act === "measured") await written(benchmark, benchmark.measuredElsewhere?.());
    else await runIfPossible(benchmark, named, { ...benchmark.effort, ...effort });
  }
}

async function compare(benchmarks: readonly Benchmark[], name: string, effort: Orders["effort"]): Promise<void> {
  const commit = commitOf(name);
  if (commit === null) {
    console.error(`bench: there is no commit ${name}; nothing was run. git log lists those that there are`);
    process.exitCode = USAGE_EXIT;
    return;
  }
  for (const { baseline, effort: full } of benchmarks) {
    if (baseline === undefined || !setUpFor(baseline.needs)) return;
    show(await baseline.run(commit, { ...full, ...effort }, (text) => console.error(text)));
    console.log("\nA comparison of two commits: nothing was written.");
  }
}

/** Quick where nothing is missing. Set-up itself reports what is wrong. */
function setUpFor(needs: readonly string[]): boolean {
  const parts = new Set(needs);
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
