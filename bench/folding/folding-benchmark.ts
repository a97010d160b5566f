/** Steps that the folding library proves, with and without the acceleration library, and nova-snark: one Rust program measures all, in turns. */
import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { type Benchmark, type Effort, isTrial, type Outcome } from "../benchmark/benchmark.ts";
import { jsonLines } from "../measure/json-lines.ts";
import { lockedVersions } from "../measure/locked-versions.ts";
import { rustProgram } from "../measure/rust-program.ts";
import type { Measured } from "./report.ts";
import { rowsOf } from "./rows.ts";

const CRATE = inRepository("kernels", "folding", "vs-nova");
const PROGRAM = rustProgram({
  crate: CRATE,
  name: "vs_nova",
  target: inRepository("target", "folding-bench"),
});
const PEERS = ["nova-snark", "halo2curves", "rayon"];
const TRIAL = "trivial,minroot-1024,poseidon-10,and-16";

const NOTES = [
  "One process; sides in turns, each step of all before the next; two threads of one pool; the acceleration library starts as many more. State after each step was asserted to be a plain function's, and a step more and a step less to be refused.",
  "Ten steps to warm up, then as many that are timed: the median, and the quickest. CPU: user and system time of all threads.",
  "MinRoot: its roots are found beforehand, for both. Poseidon: circomlib's permutation of three elements on both sides, for nova-snark in 240 constraints a hash. 64-bit AND: bits in nova-snark, 192 constraints a pair.",
  "nova-snark: bn256 and grumpkin, Spartan with HyperKZG for the first and with its inner-product argument for the second, as its examples; its key's secret is drawn at set-up, as its tests do it.",
  "elastic-folding, zkaccel: sums over keys by the acceleration library, all else as built-in. elastic-folding, built-in: without it, with halo2curves' assembler.",
  "elastic-folding: bn256 and grumpkin too, ProtoGalaxy with a co-processor; its first key is of powers of a tau drawn at set-up, as its peer's. MinRoot takes a committed value an iteration, a hash 79, a pair of numbers 16 lookups of four bits.",
  "Set-up: circuits' shapes, commitment keys, and on our sides multiples of their points. A compressed proof is verified from its bytes. Its size is of our own encoding, and of bincode's with integers of fixed size.",
  "Peak memory: of a process that does this alone, set-up included.",
];

export const foldingBenchmark: Benchmark = {
  name: "folding",
  describes:
    "steps that the folding library proves, with and without the acceleration library, compared with nova-snark",
  needs: ["cargo", "accel"],
  effort: { rounds: 10, seconds: 1 },
  run,
};

async function run(effort: Effort, log: (text: string) => void): Promise<Outcome> {
  log("Building the program and its peer (the first time takes minutes)");
  await PROGRAM.build();
  const load = loadavg().map((one) => one.toFixed(1));
  const trial = isTrial(effort, foldingBenchmark.effort);
  const steps = ["--steps", `${effort.rounds}`];
  const args = [...steps, ...(trial ? ["--warm-up", "2", "--workloads", TRIAL] : [])];
  const report = await PROGRAM.run(args, log, { LD_LIBRARY_PATH: inRepository("target", "accel") });
  const busy = `Load averages of the machine when it began (1, 5 and 15 minutes): ${load.join(", ")}.`;
  return { versions: versions(), notes: [...NOTES, busy], rows: rowsOf(jsonLines<Measured>(report)) };
}

function versions(): Outcome["versions"] {
  const rustc = execFileSync("rustc", ["--version"], { encoding: "utf8" }).trim();
  return { rustc, ...lockedVersions(CRATE, PEERS) };
}
