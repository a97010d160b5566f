/**
 * Runs the tests of kernels/accel. `npm test` runs of each way to build or run them what differs:
 *
 *   the best set of instructions   all tests of the CPU, all sizes
 *   each other set                 the tests of arithmetic, in small sizes
 *   the emulated GPU               the tests of what a plug-in does and of its inside, in small sizes
 *   address and undefined-behaviour sanitizers   a sanitized library in small sizes: the tests of arithmetic on the best
 *                                  set and on the one that every CPU has, and the other tests of the CPU
 *   CUDA                           that nvcc takes it for one GPU, and the tests of plug-ins where there is a GPU
 *
 * `npm run test:long` runs the complete matrix: every set of instructions in all sizes, these sanitizers and that of threads
 * for the tests too and on the emulated GPU, and nvcc for every GPU. deploy/setup/accel.sh has built what is not sanitized.
 */
import { existsSync } from "node:fs";
import { inputsHash } from "../verdicts/inputs-hash.ts";
import { unlessUnchanged } from "../verdicts/verdict.ts";
import { add, type Count, NONE } from "./count.ts";
import { hasCudaCompiler, runCudaPluginTests } from "./cuda-plugin.ts";
import { runSanitized, runSanitizedLibrary, runTests, SMALL } from "./doctest-program.ts";
import { type RunnerEnd, type RunnerOptions, type Timing, timed } from "./runner.ts";

/** From the best to the one that every CPU has. */
const PORTABLE = "portable";
const ISAS = ["ifma", "adx", PORTABLE];

/** NVIDIA's driver has it where there is a GPU. */
const hasGpu = (): boolean => existsSync("/dev/nvidiactl");

/** By their files: what is compiled for each set of instructions, and what uses that most. */
const ARITHMETIC = ["field", "ifma52", "vector", "msm/", "ntt/", "polynomial/", "product/", "quotient/", "lookup/"];
const FILES_OF_ARITHMETIC = ARITHMETIC.map((name) => `*/tests/${name}*`).join(",");
const OF_ARITHMETIC = [`--source-file=${FILES_OF_ARITHMETIC}`];
/** The inside of the emulated GPU, which has nothing to do with the CPU's instructions, and is not sanitized either. */
const OF_GPU = ["--source-file=*/tests/gpu/*"];
const NOT_OF_GPU = ["--source-file-exclude=*/tests/gpu/*"];
const OF_NEITHER = [`--source-file-exclude=${FILES_OF_ARITHMETIC},*/tests/gpu/*`];

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
  let best: string | undefined;
  for (const isa of ISAS) {
    const all = long || best === undefined;
    const env = { ZKA_CPU: isa, ...(all ? {} : SMALL) };
    const args = long ? [] : all ? NOT_OF_GPU : OF_ARITHMETIC;
    const count = await part(isa, () => runTests({ env, args }));
    if (count.passed + count.failed > 0) best ??= isa;
  }
  const emulated = await part("emulated GPU", () => runTests({ env: SMALL, program: "emulated/zkaccel_tests" }));
  if (long)
    for (const name of ["memory", "threads"] as const) await part(`sanitized: ${name}`, () => runSanitized(name));
  else {
    await part("inside of the emulated GPU", () => runTests({ env: SMALL, args: OF_GPU }));
    const arithmetic = [...new Set([best ?? PORTABLE, PORTABLE])].map((isa) => ({
      env: { ZKA_CPU: isa },
      args: OF_ARITHMETIC,
    }));
    await part("sanitized", () => runSanitizedLibrary([{ env: {}, args: OF_NEITHER }, ...arithmetic]));
  }
  await part("CUDA: compile", () => runCudaPluginTests({ everyGpu: long || hasGpu() }));
  const onGpu = hasGpu() ? await part("CUDA: GPU", () => runTests({ env: {}, program: "cuda/zkaccel_tests" })) : NONE;
  if (onGpu.passed + onGpu.failed === 0) total = add(total, { ...NONE, skipped: emulated.passed });
  return { count: total, notes: [], timings };
}
