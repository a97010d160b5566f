/**
 * The plug-in of kernels/accel for GPUs, as far as it can be tested without one: that CUDA's compiler takes it without a
 * warning, and what machine code it makes of the kernels. What they compute is tested on an emulated device.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { inheritedEnvironment, programPath } from "../cluster/machine.ts";
import { runCommand } from "./command.ts";
import type { Count } from "./count.ts";

/** deploy/setup/cuda.sh puts it there, where it can be had. */
const PROGRAMS = inRepository(".cache", "cuda", "nvidia", "cu13", "bin");
/** For every GPU, by deploy/setup/accel.sh. */
const BUILD = inRepository("target", "accel");
const BUILD_FOR_ONE = inRepository("target", "accel-cuda");

export function hasCudaCompiler(): boolean {
  return existsSync(`${PROGRAMS}/nvcc`);
}

/** The kernel that multiplies two vectors: a product, and the address of each element. */
const MULTIPLY_KERNEL = /5Apply.*zka_vector_op2E/;
/**
 * Of 8 words by 8, and again by the modulus, 128 products: eight of them need one half only, and an address is one more.
 * Carries that are not in flags would take about as many additions more, and products that the compiler does not join
 * twice as many instructions.
 */
const WIDE_PRODUCTS_MAX = 124;

const CHECKS = [
  "the plug-in compiles without a warning",
  "kernels keep all in registers",
  "a product is short",
] as const;

/** Kernels, and how often each instruction stands in them, by its name without what follows the second dot. */
export type Kernels = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** `everyGpu`: for each that the plug-in is built for, as where one is going to run it; else for the oldest alone. */
export async function runCudaPluginTests({ everyGpu }: { readonly everyGpu: boolean }): Promise<Count> {
  if (!hasCudaCompiler()) {
    console.log("NOT RUN: there is no CUDA compiler here, and so no plug-in for GPUs");
    return { passed: 0, failed: 0, skipped: CHECKS.length };
  }
  const failures = await failedChecks(everyGpu ? BUILD : BUILD_FOR_ONE);
  for (const [check, why] of failures) console.log(`FAILED: ${check}: ${why}`);
  return { passed: CHECKS.length - failures.size, failed: failures.size, skipped: 0 };
}

/** Each with what is wrong. */
async function failedChecks(build: string): Promise<ReadonlyMap<string, string>> {
  const [compiles, registers, short] = CHECKS;
  const error = await compileErrors(build);
  if (error !== null) return new Map(CHECKS.map((check) => [check, check === compiles ? error : "not compiled"]));
  const failures = new Map<string, string>();
  const kernels = await kernelsOf(`${build}/libzkaccel_cuda.so`);
  const spilling = kernelsThatSpill(kernels);
  if (kernels.size === 0 || spilling.length > 0)
    failures.set(registers, `${kernels.size} kernels, of them ${spilling}`);
  const products = [...kernels].filter(([name]) => MULTIPLY_KERNEL.test(name)).map(([, code]) => wideProducts(code));
  if (products.length === 0 || products.some((n) => n > WIDE_PRODUCTS_MAX))
    failures.set(short, `${products} wide products`);
  return failures;
}

/** What the compiler prints, or null when it prints nothing. */
async function compileErrors(build: string): Promise<string | null> {
  const commands = [["ninja", "-C", build, "zkaccel_cuda"]];
  if (build === BUILD_FOR_ONE) {
    const settings = ["-DZKA_CUDA=ON", `-DCMAKE_CUDA_COMPILER=${PROGRAMS}/nvcc`, "-DZKA_WERROR=ON"];
    const oldest = "-DZKA_CUDA_ARCHITECTURES=80-real";
    const source = inRepository("kernels", "accel");
    commands.unshift(["cmake", "-S", source, "-B", build, "-G", "Ninja", ...settings, oldest]);
  }
  for (const [program = "", ...args] of commands) {
    const { code, output } = await runCommand(program, args, { show: false });
    if (code !== 0) return output;
  }
  return null;
}

/** Of a library; none where they cannot be read. What is printed of them is more than a text should hold at once. */
async function kernelsOf(library: string): Promise<Kernels> {
  const env = { ...inheritedEnvironment(), PATH: `${PROGRAMS}:${programPath()}` };
  const child = spawn(`${PROGRAMS}/cuobjdump`, ["-sass", library], { env, stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const kernels = await kernelsIn(createInterface({ input: child.stdout }));
  const [code] = await closed;
  return code === 0 ? kernels : new Map();
}

const FUNCTION = /^\s+Function : (\S+)/;
const ARCHITECTURE = /^arch = (\S+)/;
const INSTRUCTION = /^\s+\/\*[0-9a-f]+\*\/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9]*(?:\.[A-Z0-9]+)?)/;

/** Of the lines that cuobjdump shows: one of each architecture. */
export async function kernelsIn(sass: AsyncIterable<string> | Iterable<string>): Promise<Kernels> {
  const kernels = new Map<string, Map<string, number>>();
  let architecture = "";
  let kernel = new Map<string, number>();
  for await (const line of sass) {
    architecture = ARCHITECTURE.exec(line)?.[1] ?? architecture;
    const name = FUNCTION.exec(line)?.[1];
    if (name !== undefined) {
      kernel = new Map();
      kernels.set(`${architecture} ${name}`, kernel);
    }
    const instruction = INSTRUCTION.exec(line)?.[1];
    if (instruction !== undefined) kernel.set(instruction, (kernel.get(instruction) ?? 0) + 1);
  }
  return kernels;
}

/** Those that write to memory of a thread's own. */
export function kernelsThatSpill(kernels: Kernels): readonly string[] {
  return [...kernels].filter(([, code]) => [...code.keys()].some((name) => /^STL\b/.test(name))).map(([name]) => name);
}

export function wideProducts(code: ReadonlyMap<string, number>): number {
  return code.get("IMAD.WIDE") ?? 0;
}
