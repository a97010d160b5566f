/** What the acceleration library computes on a GPU, compared with sppark, halo2-axiom-gpu and its own backend for the CPU. */
import { existsSync, readFileSync } from "node:fs";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { type Benchmark, type Effort, isTrial, type Outcome } from "../benchmark/benchmark.ts";
import { type GpuProgram, prepareGpuProgram } from "../gpu/gpu-program.ts";
import { missingGpu, runScript } from "../gpu/on-this-machine.ts";
import { lockedVersions } from "../measure/locked-versions.ts";
import { roundsNote } from "../report/rounds-note.ts";
import { parseReport } from "./report.ts";
import { rowsOf } from "./rows.ts";

const CRATE = inRepository("kernels", "accel", "rust", "zkaccel-gpu-bench");
const PROGRAM: GpuProgram = {
  target: inRepository("target", "accel-gpu-bench"),
  builds: [["build", "--manifest-path", `${CRATE}/Cargo.toml`]],
  sources: ["provers/poseidon/**/*.{rs,toml}"],
};
const SCRIPT = inRepository("bench", "accel-gpu", "on-gpu.sh");
const MEASURED = inRepository("target", "accel-gpu", "measured.jsonl");
const CHECKS = inRepository("target", "accel-gpu", "checks.txt");
const PEERS = ["sppark", "halo2-axiom-gpu", "halo2curves-axiom"];

const NOTES = [
  "One process, one GPU; contenders in turns; what ours computed was asserted to be what the CPU did before it was timed, and a peer that computed something else is left out and named.",
  "Times are the host's, from the call until the GPU is done.",
  "Everything is in the GPU's memory, points without tables of multiples, but for rows with `from the host`: there scalars or columns are in the host's ordinary memory and are copied in each call.",
  "zkaccel cpu: the same library on this machine's CPU, with all its threads.",
  "sppark transforms by its own root of unity; its result was compared with ours by that root.",
  "Rates are the best of five; a chain's steps need each other's results, and as many threads run as the GPU holds. Bytes copied are counted once; the host's are pinned.",
  "Share of the GPU's multiplications: what the textbook's multiplications would take at the rate of field multiplications in four chains a thread, as part of the time taken. For multi-scalar multiplication: signed windows of the best width, six multiplications an addition.",
];

export const accelGpuBenchmark: Benchmark = {
  name: "accel-gpu",
  describes:
    "the acceleration library's operations on a GPU, compared with sppark, halo2-axiom-gpu and the CPU; needs a GPU",
  needs: ["cargo", "cuda", "accel-tests"],
  effort: { rounds: 5, seconds: 1 },
  missing: missingGpu,
  prepare,
  run,
  // There the script is given these.
  measuredElsewhere: () => outcome(accelGpuBenchmark.effort),
};

function prepare(log: (text: string) => void): Promise<void> {
  return prepareGpuProgram(PROGRAM, log);
}

async function run(effort: Effort, log: (text: string) => void): Promise<Outcome> {
  await prepare(log);
  const sizes = effort.rounds < accelGpuBenchmark.effort.rounds ? ["small"] : [];
  await runScript(SCRIPT, [`${effort.rounds}`, `${effort.seconds}`, ...sizes], log);
  return outcome(effort);
}

/** Of what the script left, on this machine or on another whose target/accel-gpu/ was brought here. */
function outcome(effort: Effort): Outcome {
  if (!existsSync(MEASURED)) throw new Error(`Nothing was measured: there is no ${MEASURED}`);
  const report = parseReport(readFileSync(MEASURED, "utf8"));
  const checks = readFileSync(CHECKS, "utf8").trimEnd().split("\n");
  return {
    machine: { ...report.machine, gpus: [report.gpu] },
    versions: lockedVersions(CRATE, PEERS),
    notes: [
      ...NOTES,
      roundsNote(effort),
      `Before it was measured, the plug-in's tests ran on this GPU, and with small sizes under compute-sanitizer: ${checks.join("; ")}.`,
      ...report.leftOut.map((what) => `Left out: ${what}.`),
    ],
    rows: rowsOf(report, { shares: !isTrial(effort, accelGpuBenchmark.effort) }),
  };
}
