/**
 * Runs the tests of kernels/accel: once for each set of instructions, and once more under the address and
 * undefined-behaviour sanitizers, with small sizes. deploy/setup/accel.sh has built the former; the latter is built here.
 */
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { runCommand } from "./command.ts";
import { add, type Count, NONE } from "./count.ts";

const ISAS = ["portable", "adx", "ifma"];
const BUILD = inRepository("target", "accel");
const SANITIZED_BUILD = inRepository("target", "accel-sanitized");
/** The exit status of tests for instructions that this CPU lacks. */
const SKIPPED = 77;

const RESULT = /^\[doctest\] test cases: +(\d+) \| +(\d+) passed \| +(\d+) failed \| +(\d+) skipped/gm;

export async function runAccelTests(): Promise<Count> {
  let total = NONE;
  for (const isa of ISAS) {
    console.log(`-- ${isa}`);
    total = add(total, await runTests(BUILD, { ZKA_CPU: isa }));
  }
  console.log("-- sanitized");
  const built = await buildSanitized();
  return add(total, built ? await runTests(SANITIZED_BUILD, { ZKA_TEST_SMALL: "1" }) : { ...NONE, failed: 1 });
}

async function runTests(build: string, env: Readonly<Record<string, string>>): Promise<Count> {
  const program = join(build, "tests", "zkaccel_tests");
  const { code, output } = await runCommand(program, ["--no-colors"], { show: true, env });
  return countResults(output, code);
}

async function buildSanitized(): Promise<boolean> {
  const settings = ["-DZKA_TESTS=ON", "-DZKA_SANITIZE=address,undefined"];
  const commands = [
    ["cmake", "-S", inRepository("kernels", "accel"), "-B", SANITIZED_BUILD, "-G", "Ninja", ...settings],
    ["ninja", "-C", SANITIZED_BUILD],
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
