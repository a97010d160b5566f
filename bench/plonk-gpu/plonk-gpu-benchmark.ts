/** Whole PLONK proofs on a GPU, compared with halo2-axiom-gpu, with our own prover on the CPU, and with halo2-axiom's. */
import { copyFileSync, existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import type { Machine } from "../benchmark/machine.ts";
import { type GpuProgram, prepareGpuProgram } from "../gpu/gpu-program.ts";
import { missingGpu, runScript } from "../gpu/on-this-machine.ts";
import { jsonLines } from "../measure/json-lines.ts";
import { lockedVersions } from "../measure/locked-versions.ts";
import { isLeftOut, type LeftOut, type Measured } from "../plonk/report.ts";
import { rowsOf } from "../plonk/rows.ts";

const CRATE = inRepository("kernels", "plonk", "vs-halo2");
const TARGET = inRepository("target", "plonk-gpu-bench");
const PROGRAM: GpuProgram = {
  target: TARGET,
  builds: [
    ["build", "--manifest-path", join(CRATE, "Cargo.toml"), "--features", "gpu"],
    ["test", "-p", "elastic-plonk", "--test", "proofs", "--no-run"],
  ],
  sources: ["kernels/{plonk,grain}/**/*.{rs,toml,lock}"],
};
const SCRIPT = inRepository("bench", "plonk-gpu", "on-gpu.sh");
const OUT = inRepository("target", "plonk-gpu");
const PEERS = ["halo2-axiom", "halo2-axiom-gpu", "halo2curves-axiom"];
const OURS = "elastic-plonk-gpu";
/** The least ratios where there are 2^20 rows, and to the peer on a GPU everywhere. */
const GOALS: Readonly<Record<string, number>> = { "elastic-plonk": 8, "halo2-axiom-gpu": 1.3 };

const NOTES = [
  "One process, one GPU; all provers in turns on the same parameters, key, circuit and seeds, SHPLONK and Blake2b; one proof of each before, verified by halo2-axiom's verifier. Proofs of one seed by elastic-plonk are the same bytes on the GPU and on the CPU.",
  "elastic-plonk and halo2-axiom: with all threads of the CPU, and halo2curves' assembler. halo2-axiom-gpu: its create_proof as published; it has no prover that holds a key between proofs, and holds the parameters.",
  "Values of the witness are computed beforehand, and assigned in each proof.",
  "Stages end where all provers squeeze the same challenge: theta, beta, y, x, and the first of the multi-opening.",
];

export const plonkGpuBenchmark: Benchmark = {
  name: "plonk-gpu",
  describes: "whole PLONK proofs on a GPU, compared with halo2-axiom-gpu and with the CPU; needs a GPU",
  needs: ["cargo", "cuda", "accel-tests"],
  effort: { rounds: 5, seconds: 1 },
  missing: missingGpu,
  prepare,
  run,
  measuredElsewhere: outcome,
};

async function prepare(log: (text: string) => void): Promise<void> {
  await prepareGpuProgram(PROGRAM, log);
  // Cargo names programs of tests by a digest.
  const tests = globSync(join(TARGET, "release", "deps", "proofs-*")).filter((path) => !path.endsWith(".d"));
  const [newest] = tests.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (newest === undefined) throw new Error("cargo built no program of the tests");
  copyFileSync(newest, join(TARGET, "proofs"));
}

async function run({ rounds }: Effort, log: (text: string) => void): Promise<Outcome> {
  await prepare(log);
  await runScript(SCRIPT, ["checks"], log);
  await runScript(SCRIPT, ["measure", `${rounds}`], log);
  return outcome();
}

/** Of what the script left, on this machine or on another whose target/plonk-gpu/ was brought here. */
function outcome(): Outcome {
  const measured = join(OUT, "measured.jsonl");
  if (!existsSync(measured)) throw new Error(`Nothing was measured: there is no ${measured}`);
  const lines = jsonLines<Measured | LeftOut>(readFileSync(measured, "utf8"));
  const machine = JSON.parse(readFileSync(join(OUT, "machine.json"), "utf8")) as Machine;
  const checks = readFileSync(join(OUT, "checks.txt"), "utf8").trimEnd().split("\n");
  const report = lines.filter((line): line is Measured => !isLeftOut(line));
  return {
    machine,
    versions: lockedVersions(CRATE, PEERS),
    notes: [
      ...NOTES,
      `Medians of ${report[0]?.samples ?? 0} proofs.`,
      `Before it was measured on this GPU: ${checks.join("; ")}.`,
      ...lines.filter(isLeftOut).map((line) => `Left out: ${line.left_out}.`),
    ],
    rows: rowsOf(report, {
      ours: OURS,
      threads: machine.cores,
      goal: (peer, workload) => (peer === "halo2-axiom-gpu" || workload === "chain-20" ? GOALS[peer] : undefined),
    }),
  };
}
