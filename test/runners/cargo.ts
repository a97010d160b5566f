/** Runs the Rust tests and counts by the lines that each test program ends with. */
import { inputsHash } from "../verdicts/inputs-hash.ts";
import { unlessUnchanged } from "../verdicts/verdict.ts";
import { runCommand } from "./command.ts";
import { add, atLeastOne, type Count, NONE, withExit } from "./count.ts";
import { type RunnerEnd, type RunnerOptions, type Timing, timed } from "./runner.ts";

const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm;
/** `Running tests/abi.rs (target/…)`, `Doc-tests elastic_sdk`, and then the program's result. */
const PROGRAM = /^ +(?:Running (?:unittests )?(\S+) \((\S+)-[0-9a-f]+\)|Doc-tests (\S+))$/;
const FINISHED = /finished in ([\d.]+)s$/;

/** In release mode: the dependencies are built for it anyway, and proofs in debug mode take minutes. */
const ARGS = ["test", "--release", "--locked", "--no-fail-fast"];
/** What only measures has no tests. */
const PACKAGES = ["--workspace", "--exclude", "zkaccel-bench"];
/** Unit tests too, where a manifest does not declare that there are none. */
const TARGETS = ["--tests"];
/** Of the examples, the one that tests start: `cargo test --example` would make a test program of it. */
const EXAMPLE = ["build", "--release", "--locked", ...PACKAGES, "--example", "countdown"];
/**
 * What is tested with the acceleration library, and that with its peers: apart, since the features would have cargo
 * compile all that uses the folding library again. With the packages whose features their dependencies have elsewhere.
 */
const ACCELERATED = ["elastic-folding", "zkaccel", "poseidon", "ivc-minroot"];
const ACCELERATED_FEATURES = "elastic-folding/accel,ivc-minroot/accel,zkaccel/halo2curves,zkaccel/halo2curves-axiom";
const ACCELERATED_TARGETS = ["--test", "accel", "--test", "differential"];

/** Tests that take minutes, and examples, whose parts are compiled with the tests. */
const LONG_FEATURES = ["--features", "poseidon/long"];
const LONG_TARGETS = ["--examples"];
const LONG = ["--", "--include-ignored"];

/** Each a cargo command. */
function commands(long: boolean): readonly (readonly string[])[] {
  const plain = [...ARGS, ...PACKAGES, ...(long ? LONG_FEATURES : [])];
  const accelerated = [
    ...ARGS,
    ...ACCELERATED.flatMap((name) => ["--package", name]),
    "--features",
    ACCELERATED_FEATURES,
  ];
  return [
    [...plain, ...TARGETS, ...(long ? LONG_TARGETS : [])],
    [...accelerated, ...ACCELERATED_TARGETS],
    [...plain, ...ACCELERATED.flatMap((name) => ["--exclude", name]), "--doc"],
    [...accelerated, "--doc"],
  ];
}

const INPUTS = [
  "Cargo.toml",
  "Cargo.lock",
  "rust-toolchain.toml",
  ".cargo",
  "kernels",
  "provers",
  "sdk",
  "test/runners",
];
const TOOLS = [
  ["cargo", "--version", "--verbose"],
  ["rustc", "--version", "--verbose"],
  ["g++", "--version"],
] as const;

export const runCargoTests = unlessUnchanged({
  name: "cargo",
  inputsHash: ({ long }) => inputsHash({ paths: INPUTS, tools: TOOLS, flags: commands(long).flat() }),
  run: runAll,
});

async function runAll({ long }: RunnerOptions): Promise<RunnerEnd> {
  // What does not compile fails when it is run.
  const [, compileSeconds] = await timed(async () => {
    await runCommand("cargo", EXAMPLE, { show: true });
    for (const command of commands(long)) {
      if (!command.includes("--doc")) await runCommand("cargo", [...command, "--no-run"], { show: true });
    }
  });
  let count = NONE;
  const timings: Timing[] = [];
  for (const command of commands(long)) {
    const { code, output } = await runCommand("cargo", [...command, ...(long ? LONG : [])], { show: true });
    count = add(count, atLeastOne(countResults(output, code)));
    timings.push(...programTimings(output));
  }
  return {
    count,
    notes: [],
    timings: [{ name: "cargo: compile", kind: "phase", seconds: compileSeconds }, ...timings],
  };
}

/** What does not compile, or dies outside any test, counts as one failure. */
export function countResults(output: string, code: number | null): Count {
  const sum = [0, 0, 0];
  for (const [, ...numbers] of output.matchAll(RESULT)) {
    for (const [index, text] of numbers.entries()) sum[index] = (sum[index] ?? 0) + Number(text);
  }
  const [passed = 0, failed = 0, skipped = 0] = sum;
  return withExit({ passed, failed, skipped }, code);
}

/** One a test program. */
export function programTimings(output: string): readonly Timing[] {
  const timings: Timing[] = [];
  let name = "";
  for (const line of output.split("\n")) {
    const [, source, program, docs] = PROGRAM.exec(line) ?? [];
    if (program !== undefined) name = `${program.split("/").at(-1)} (${source})`;
    if (docs !== undefined) name = `${docs} (documentation)`;
    const seconds = FINISHED.exec(line)?.[1];
    if (seconds !== undefined) timings.push({ name: `cargo: ${name}`, kind: "file", seconds: Number(seconds) });
  }
  return timings;
}
