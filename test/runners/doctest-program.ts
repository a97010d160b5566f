/** Runs the program of kernels/accel's tests once: of one build, for some of its tests. */
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { runCommand } from "./command.ts";
import { add, type Count, NONE, withExit } from "./count.ts";

const BUILD = inRepository("target", "accel");
/** The exit status of tests for instructions, or on a device, that this machine lacks. */
const SKIPPED = 77;

const SANITIZERS = {
  memory: { names: "address,undefined", folder: inRepository("target", "accel-sanitized"), before: [] },
  // The thread sanitizer's shadow memory has fixed places, which a randomised layout may have taken.
  threads: {
    names: "thread",
    folder: inRepository("target", "accel-threads"),
    before: ["setarch", "--addr-no-randomize"],
  },
} as const;

/** Sizes for what is slow: an emulated device, and sanitized code. */
export const SMALL = { ZKA_TEST_SMALL: "1" };

const RESULT = /^\[doctest\] test cases: +(\d+) \| +(\d+) passed \| +(\d+) failed \| +(\d+) skipped/gm;

interface TestRun {
  /** Of the build. */
  readonly folder?: string;
  /** Below its folder `tests`: next to a plug-in, or alone. */
  readonly program?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** A command that starts the program. */
  readonly before?: readonly string[];
}

/** What is left out is run elsewhere, and so not counted as skipped. */
export async function runTests({ folder = BUILD, program = "zkaccel_tests", ...run }: TestRun): Promise<Count> {
  const tests = join(folder, "tests", program);
  const [command = "", ...args] = [...(run.before ?? []), tests, "--no-colors", ...(run.args ?? [])];
  const { code, output } = await runCommand(command, args, { show: true, env: run.env });
  if (code === null) console.log(`${tests} was ended by a signal`);
  return { ...countResults(output, code), skipped: 0 };
}

/** The library under sanitizers, and its tests as they are: of a complete build, most of the time goes into the tests. */
export async function runSanitizedLibrary(runs: readonly Pick<TestRun, "env" | "args">[]): Promise<Count> {
  if (!(await build([["ninja", "-C", BUILD, "zkaccel_tests_sanitized"]]))) return { ...NONE, failed: 1 };
  const program = "sanitized/zkaccel_tests_sanitized";
  let total = NONE;
  for (const run of runs) total = add(total, await runTests({ ...run, program, env: { ...SMALL, ...run.env } }));
  return total;
}

/** Everything under sanitizers, on the CPU and on the emulated GPU. */
export async function runSanitized(name: keyof typeof SANITIZERS): Promise<Count> {
  const { names, folder, before } = SANITIZERS[name];
  const settings = ["-DZKA_TESTS=ON", "-DZKA_WERROR=ON", `-DZKA_SANITIZE=${names}`];
  const cmake = ["cmake", "-S", inRepository("kernels", "accel"), "-B", folder, "-G", "Ninja", ...settings];
  if (!(await build([cmake, ["ninja", "-C", folder]]))) return { ...NONE, failed: 1 };
  const onCpu = await runTests({ folder, env: SMALL, before });
  return add(onCpu, await runTests({ folder, program: "emulated/zkaccel_tests", env: SMALL, before }));
}

async function build(commands: readonly (readonly string[])[]): Promise<boolean> {
  for (const [program = "", ...args] of commands) {
    const { code, output } = await runCommand(program, args, { show: false });
    if (code === 0) continue;
    console.log(output);
    return false;
  }
  return true;
}

/** What dies before it reports counts as one failure. */
export function countResults(output: string, code: number | null): Count {
  if (code === SKIPPED) return NONE;
  const [, , passed = 0, failed = 0, skipped = 0] = [...output.matchAll(RESULT)].at(-1)?.map(Number) ?? [];
  return withExit({ passed, failed, skipped }, code);
}
