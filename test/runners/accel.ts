/**
 * Runs the tests of kernels/accel. `npm test` runs of each way to build or run them what differs:
 *
 *   the best set of instructions   all tests, all sizes
 *   each other set                 the tests of arithmetic, in small sizes
 *   the emulated GPU               the tests of what a plug-in does, in small sizes
 *   address and undefined-behaviour sanitizers   all tests of a sanitized library, on every set, in small sizes
 *   CUDA                           that nvcc takes it for one GPU, and the tests of plug-ins where there is a GPU
 *
 * `npm run test:long` runs the whole matrix: every set of instructions in all sizes, these sanitizers and that of threads
 * for the tests too and on the emulated GPU, and nvcc for every GPU. deploy/setup/accel.sh has built what is not sanitized.
 */
import { existsSync } from "node:fs";
import { inputsHash } from "../verdicts/inputs-hash.ts";
import { unlessUnchanged } from "../verdicts/verdict.ts";
import { runSanitized, runSanitizedLibrary, runTests, SMALL } from "./accel-tests.ts";
import { add, type Count, NONE } from "./count.ts";
import { hasCudaCompiler, runCudaPluginTests } from "./cuda-plugin.ts";
import { type RunnerEnd, type RunnerOptions, type Timing, timed } from "./runner.ts";

/** From the best to the one that every CPU has. */
const ISAS = ["ifma", "adx", "portable"];

/** NVIDIA's driver has it where there is a GPU. */
const hasGpu = (): boolean => existsSync("/dev/nvidiactl");

/** By their files: what is compiled for each set of instructions, and what uses that most. */
const ARITHMETIC = ["field", "ifma52", "vector", "msm/", "ntt/", "polynomial/", "product/", "quotient/", "lookup/"];
const OF_ARITHMETIC = `--source-file=${ARITHMETIC.map((name) => `*/tests/${name}*`).join(",")}`;

const INPUTS = ["kernels/accel", "deploy/setup", "test/runners"];
const TOOLS = [
  ["g++", "--version"],
  ["cmake", "--version"],
] as const;

export const runAccelTests = unlessUnchanged({
  name: "accel",
  inputsHash: ({ long }) =>
    inputsHash({
      paths: INPUTS,
      tools: TOOLS,
      flags: [`long: ${long}`, `CUDA: ${hasCudaCompiler()}`, `GPU: ${hasGpu()}`],
    }),
  run: runAll,
});

async function runAll({ long }: RunnerOptions): Promise<RunnerEnd> {
  const timings: Timing[] = [];
  let total = NONE;
  const part = async (name: string, run: () => Promise<Count>): Promise<Count> => {
    console.log(`-- ${name}`);
    const [count, seconds] = await timed(run);
    total = add(total, count);
    timings.push({ name: `accel: ${name}`, kind: "file", seconds });
    return count;
  };
  let isBest = true;
  for (const isa of ISAS) {
    const all = long || isBest;
    const env = { ZKA_CPU: isa, ...(all ? {} : SMALL) };
    const count = await part(isa, () => runTests({ env, args: all ? [] : [OF_ARITHMETIC] }));
    isBest &&= count.passed + count.failed === 0;
  }
  const emulated = await part("emulated GPU", () => runTests({ env: SMALL, program: "emulated/zkaccel_tests" }));
  if (long)
    for (const name of ["memory", "threads"] as const) await part(`sanitized: ${name}`, () => runSanitized(name));
  else await part("sanitized", runSanitizedLibrary);
  await part("CUDA: compile", () => runCudaPluginTests({ everyGpu: long || hasGpu() }));
  const onGpu = hasGpu() ? await part("CUDA: GPU", () => runTests({ env: {}, program: "cuda/zkaccel_tests" })) : NONE;
  if (onGpu.passed + onGpu.failed === 0) total = add(total, { ...NONE, skipped: emulated.passed });
  return { count: total, notes: [], timings };
}
