/**
 * Runs the tests of kernels/accel: once for each set of instructions and on the emulated GPU, and once more under the
 * address and undefined-behaviour sanitizers, with small sizes; a long run does that on the emulated GPU too, and all of
 * it under the thread sanitizer.
 * deploy/setup/accel.sh has built the former; the latter are built here, and so is the plug-in for GPUs, whose tests run
 * where there is one.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { runCommand } from "./command.ts";
import { add, type Count, NONE } from "./count.ts";
import { runCudaPluginTests } from "./cuda-plugin.ts";

const ISAS = ["portable", "adx", "ifma"];
const BUILD = inRepository("target", "accel");
/** The exit status of tests for instructions that this CPU lacks. */
const SKIPPED = 77;

interface Sanitizers {
  readonly names: string;
  readonly build: string;
}
const OF_MEMORY: Sanitizers = { names: "address,undefined", build: inRepository("target", "accel-sanitized") };
const OF_THREADS: Sanitizers = { names: "thread", build: inRepository("target", "accel-threads") };
/** The thread sanitizer's shadow memory has fixed places, which a randomised layout may have taken. */
const IN_PLACE = ["setarch", "--addr-no-randomize"];

/** Sizes for what is slow: an emulated device, and sanitized code. */
const SMALL = { ZKA_TEST_SMALL: "1" };

const RESULT = /^\[doctest\] test cases: +(\d+) \| +(\d+) passed \| +(\d+) failed \| +(\d+) skipped/gm;

export async function runAccelTests(options: { readonly long: boolean }): Promise<Count> {
  let total = NONE;
  for (const isa of ISAS) {
    console.log(`-- ${isa}`);
    total = add(total, await runTests(BUILD, { ZKA_CPU: isa }));
  }
  console.log("-- emulated GPU");
  const emulated = onPlugin(await runTests(BUILD, SMALL, "emulated"));
  total = add(total, emulated);
  for (const sanitizers of options.long ? [OF_MEMORY, OF_THREADS] : [OF_MEMORY]) {
    console.log(`-- sanitized: ${sanitizers.names}`);
    total = add(total, await runSanitized(sanitizers, options.long));
  }
  console.log("-- CUDA");
  total = add(total, await runCudaPluginTests());
  const built = existsSync(join(BUILD, "libzkaccel_cuda.so"));
  const onGpu = built ? onPlugin(await runTests(BUILD, {}, "cuda")) : NONE;
  const ran = onGpu.passed + onGpu.failed > 0;
  return add(total, ran ? onGpu : { ...NONE, skipped: emulated.passed });
}

async function runSanitized(sanitizers: Sanitizers, long: boolean): Promise<Count> {
  if (!(await buildSanitized(sanitizers))) return { ...NONE, failed: 1 };
  const onCpu = await runTests(sanitizers.build, SMALL);
  return long ? add(onCpu, onPlugin(await runTests(sanitizers.build, SMALL, "emulated"))) : onCpu;
}

/** The tests of a build, or those of them that concern the plug-in in that folder. */
async function runTests(build: string, env: Readonly<Record<string, string>>, plugin = ""): Promise<Count> {
  const tests = [join(build, "tests", plugin, "zkaccel_tests"), "--no-colors"];
  const [program = "", ...args] = build === OF_THREADS.build ? [...IN_PLACE, ...tests] : tests;
  const { code, output } = await runCommand(program, args, { show: true, env });
  if (code === null) console.log(`${tests[0]} was ended by a signal`);
  return countResults(output, code);
}

/** What is left out there is of other backends, and was run for them. */
function onPlugin(count: Count): Count {
  return { ...count, skipped: 0 };
}

async function buildSanitized({ names, build }: Sanitizers): Promise<boolean> {
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

/** What dies before it tells its result counts as one failure. */
export function countResults(output: string, code: number | null): Count {
  if (code === SKIPPED) return NONE;
  const [, , passed = 0, failed = 0, skipped = 0] = [...output.matchAll(RESULT)].at(-1)?.map(Number) ?? [];
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped };
}
