/** Runs the program of kernels/accel's tests once: of one build, for some of its tests. */
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { runCommand } from "./command.ts";
import { add, type Count, NONE, withExit } from "./count.ts";

const BUILD = inRepository("target", "accel");
/** The exit status of tests for instructions, or on a device, that this machine lacks. */
const SKIPPED = 77;

const SANITIZERS = {
  memory: { names: "address,undefined", build: inRepository("target", "accel-sanitized"), before: [] },
  // The thread sanitizer's shadow memory has fixed places, which a randomised layout may have taken.
  threads: {
    names: "thread",
    build: inRepository("target", "accel-threads"),
    before: ["setarch", "--addr-no-randomize"],
  },
} as const;

/** Sizes for what is slow: an emulated device, and sanitized code. */
export const SMALL = { ZKA_TEST_SMALL: "1" };

const RESULT = /^\[doctest\] test cases: +(\d+) \| +(\d+) passed \| +(\d+) failed \| +(\d+) skipped/gm;

interface TestRun {
  readonly build?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Of the plug-in in that folder of the build. */
  readonly plugin?: string;
  /** A command that starts the program. */
  readonly before?: readonly string[];
}

/** What is left out is run elsewhere, and so not counted as skipped. */
export async function runTests({ build = BUILD, env, args = [], plugin = "", before = [] }: TestRun): Promise<Count> {
  const tests = join(build, "tests", plugin, "zkaccel_tests");
  const [program = "", ...rest] = [...before, tests, "--no-colors", ...args];
  const { code, output } = await runCommand(program, rest, { show: true, env });
  if (code === null) console.log(`${tests} was ended by a signal`);
  return { ...countResults(output, code), skipped: 0 };
}

export async function runSanitized(
  name: keyof typeof SANITIZERS,
  { long }: { readonly long: boolean },
): Promise<Count> {
  const { names, build, before } = SANITIZERS[name];
  if (!(await buildSanitized(names, build))) return { ...NONE, failed: 1 };
  const onCpu = await runTests({ build, env: SMALL, before });
  return long ? add(onCpu, await runTests({ build, env: SMALL, plugin: "emulated", before })) : onCpu;
}

async function buildSanitized(names: string, build: string): Promise<boolean> {
  const settings = ["-DZKA_TESTS=ON", "-DZKA_WERROR=ON", `-DZKA_SANITIZE=${names}`];
  const commands = [
    ["cmake", "-S", inRepository("kernels", "accel"), "-B", build, "-G", "Ninja", ...settings],
    ["ninja", "-C", build],
  ];
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
