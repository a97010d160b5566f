/** Runs the Rust tests and counts by the lines that each test program ends with. */
import { runCommand } from "./command.ts";
import type { Count } from "./count.ts";

const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm;

/** In release mode: the dependencies are built for it anyway, and proofs in debug mode take minutes. */
const ARGS = ["test", "--release", "--locked", "--no-fail-fast"];
/** All in one build, so that each dependency is compiled once; what only measures has no tests. */
const PACKAGES = ["--workspace", "--exclude", "zkaccel-bench"];
const FEATURES = ["--features", "elastic-folding/accel,zkaccel/halo2curves,zkaccel/halo2curves-axiom"];
const LONG_FEATURES = ["--features", "poseidon/long"];
/** Tests that take minutes. */
const LONG = ["--", "--include-ignored"];

interface Options {
  readonly long: boolean;
}

/**
 * Compiles them, and with them programs that other runners' tests start: not beside these. What does not compile fails
 * when it is run.
 */
export async function compileCargoTests(options: Options): Promise<void> {
  await runCommand("cargo", [...args(options), "--no-run"], { show: true });
}

export async function runCargoTests(options: Options): Promise<Count> {
  const { code, output } = await runCommand("cargo", [...args(options), ...(options.long ? LONG : [])], { show: true });
  return countResults(output, code);
}

function args({ long }: Options): readonly string[] {
  return [...ARGS, ...PACKAGES, ...FEATURES, ...(long ? LONG_FEATURES : [])];
}

/** What does not compile, or dies outside any test, counts as one failure. */
export function countResults(output: string, code: number | null): Count {
  const sum = [0, 0, 0];
  for (const [, ...numbers] of output.matchAll(RESULT)) {
    for (const [index, text] of numbers.entries()) sum[index] = (sum[index] ?? 0) + Number(text);
  }
  const [passed = 0, failed = 0, skipped = 0] = sum;
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped };
}
