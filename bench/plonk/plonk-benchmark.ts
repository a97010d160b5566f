/** Whole PLONK proofs, compared with halo2-axiom's own prover: one Rust program measures both, in turns. */
import { execFileSync } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { type Benchmark, type Effort, isTrial, type Outcome } from "../benchmark/benchmark.ts";
import { jsonLines } from "../measure/json-lines.ts";
import { lockedVersions } from "../measure/locked-versions.ts";
import { rustProgram } from "../measure/rust-program.ts";
import type { Measured } from "./report.ts";
import { rowsOf } from "./rows.ts";

const CRATE = inRepository("kernels", "plonk", "vs-halo2");
const PROGRAM = rustProgram({
  crate: CRATE,
  name: "vs_halo2",
  target: inRepository("target", "plonk-bench"),
});
const PEERS = ["halo2-axiom", "halo2curves-axiom"];
const OURS = "elastic-plonk";
/** The least ratio of whole proofs: what was published of the original's acceleration, end to end. */
const GOAL = 4;
const TRIAL = "poseidon-2,poseidon-16";

const NOTES = [
  "One process; both provers in turns on the same parameters, key, circuit and seeds, SHPLONK and Blake2b; one proof of each before, verified by halo2-axiom's verifier. Medians of as many proofs as there are rounds.",
  "Both sides have halo2curves' assembler, and are compiled for this machine.",
  "Poseidon: a row a round, gates of degree 6, a copy of the result to the instance. Chain: each hash of the one before, by copies, and a lookup of a byte in each row.",
  "Values of the witness are computed beforehand, and assigned in each proof. Wide: rows of a * b + c = d in 45 groups of four columns, eight of them chained by copies, and twenty columns with a lookup of a byte each.",
  "Stages end where both provers squeeze the same challenge: theta, beta, y, x, and the first of the multi-opening. The key is prepared before, once, for elastic-plonk; halo2-axiom has no such step.",
];

export const plonkBenchmark: Benchmark = {
  name: "plonk",
  describes: "whole PLONK proofs, compared with halo2-axiom's own prover",
  needs: ["cargo", "accel"],
  effort: { rounds: 7, seconds: 1 },
  run,
};

async function run(effort: Effort, log: (text: string) => void): Promise<Outcome> {
  log("Building the program and its peer (the first time takes minutes)");
  await PROGRAM.build();
  const [threads, load] = [availableParallelism(), loadavg().map((one) => one.toFixed(1))];
  const trial = isTrial(effort, plonkBenchmark.effort);
  const args = ["--rounds", `${effort.rounds}`, ...(trial ? ["--workloads", TRIAL] : [])];
  const report = await PROGRAM.run(args, log, {
    LD_LIBRARY_PATH: inRepository("target", "accel"),
    RAYON_NUM_THREADS: `${threads}`,
  });
  const busy = `Load averages of the machine when it began (1, 5 and 15 minutes): ${load.join(", ")}.`;
  return {
    versions: versions(),
    notes: [...NOTES, busy],
    rows: rowsOf(jsonLines<Measured>(report), { ours: OURS, threads, goal: () => GOAL }),
  };
}

function versions(): Outcome["versions"] {
  const rustc = execFileSync("rustc", ["--version"], { encoding: "utf8" }).trim();
  return { rustc, ...lockedVersions(CRATE, PEERS) };
}
