/** What the acceleration library computes, compared with halo2curves, halo2 and arkworks: one Rust program measures all, in turns. */
import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { type Benchmark, type Effort, isTrial, type Outcome } from "../benchmark/benchmark.ts";
import { lockedVersions } from "../measure/locked-versions.ts";
import { roundsNote } from "../report/rounds-note.ts";
import { buildProgram, runProgram } from "./program.ts";
import { rowsOf } from "./rows.ts";

const PEERS = ["halo2curves", "halo2-axiom", "ark-ff", "ark-ec", "ark-poly", "rayon"];

const NOTES = [
  "One process; contenders in turns, as many threads each; every result was asserted to be the same before it was timed.",
  "Peers are built for this CPU, with their assembler, and run in a pool of rayon's.",
  "Ours has its columns in its own buffers and its points prepared, without tables of multiples.",
  "Multi-scalar multiplication: any scalars, points that differ. Transforms: in place, natural order; halo2curves makes its twiddles in each call.",
  "Scratch: what the best instructions' multiplication takes in addition to points and scalars, as the library plans it, and the most that its context held meanwhile.",
  "Batch inversion of halo2curves, and halo2-axiom's division by a root, take one thread whatever there is.",
  "Quotient: all gates of this repository's Poseidon circuit for two inputs. halo2's evaluator is private to its crate, so the peer is an interpreter of the same instructions that goes row by row as it does.",
  "Permuted columns: halo2's code is private too; the peer is its algorithm, with a parallel sort, written in the benchmark.",
  "Share of multiplications in cache: what the textbook's multiplications would take at the rate at which squarings of cached rows were seen to run, as part of the time taken. For multi-scalar multiplication: signed windows of the best width, six multiplications an addition.",
];

export const accelBenchmark: Benchmark = {
  name: "accel",
  describes: "the acceleration library's operations on the CPU, compared with halo2curves, halo2 and arkworks",
  needs: ["cargo", "accel"],
  effort: { rounds: 5, seconds: 1 },
  run,
};

async function run(effort: Effort, log: (text: string) => void): Promise<Outcome> {
  log("Building the program and its peers (the first time takes minutes)");
  await buildProgram(log);
  const load = loadavg().map((one) => one.toFixed(1));
  const sizes = effort.rounds < accelBenchmark.effort.rounds ? ["small"] : [];
  const report = await runProgram([`${effort.rounds}`, `${effort.seconds}`, ...sizes], log);
  const instructions = `This CPU's best instructions for the library: ${report.library.isa}.`;
  const busy = `Load averages of the machine when it began (1, 5 and 15 minutes): ${load.join(", ")}.`;
  const rows = rowsOf(report, { shares: !isTrial(effort, accelBenchmark.effort) });
  return { versions: versions(), notes: [...NOTES, roundsNote(effort), instructions, busy], rows };
}

function versions(): Outcome["versions"] {
  const first = (program: string): string =>
    execFileSync(program, ["--version"], { encoding: "utf8" }).split("\n")[0] ?? "";
  return { rustc: first("rustc"), compiler: first("c++"), ...lockedVersions(inRepository(), PEERS) };
}
