/**
 * A Rust program that measures on a GPU, and the library with its plug-in: built on any machine. Only the first time needs a
 * network, for CUDA's compiler and for crates; a tree that was prepared is used as it is, on a machine without one too.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";

const CUDA = inRepository(".cache", "cuda", "nvidia", "cu13");
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** GPUs that the peers are compiled for: an H100 and an H200. */
const CUDA_ARCH = "90";

export interface GpuProgram {
  /** Where cargo builds it. */
  readonly target: string;
  /** What cargo is called with to build it, each beginning with `build` or `test`. */
  readonly builds: readonly (readonly string[])[];
  /** What the builds read in this repository, as globs. */
  readonly sources: readonly string[];
}

/** Builds what is not built of these sources. */
export async function prepareGpuProgram(
  { target, builds, sources }: GpuProgram,
  log: (text: string) => void,
): Promise<void> {
  const stamp = join(target, "prepared");
  const digest = digestOf(["kernels/accel/**/*", "deploy/setup/cuda-compiler.txt", ...sources]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  log("Setting up CUDA's compiler and the library (the first time needs a network and takes minutes)");
  await run("bash", ["deploy/setup.sh", "node", "cuda", "accel-tests"]);
  if (!existsSync(join(CUDA, "bin", "nvcc"))) throw new Error("There is no CUDA compiler: see .cache/setup/cuda.log");
  log("Building the plug-in for GPUs");
  await run("ninja", ["-C", "target/accel", "zkaccel", "zkaccel_tests", "zkaccel_cuda"]);
  log("Building the program and its peers (the first time needs a network and takes minutes)");
  for (const [command = "build", ...args] of builds) {
    await run("cargo", [command, "--release", "--locked", ...args], environment(target));
  }
  mkdirSync(target, { recursive: true });
  writeFileSync(stamp, digest);
}

function environment(target: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${join(CUDA, "bin")}:${process.env.PATH}`,
    NVCC: join(CUDA, "bin", "nvcc"),
    CUDA_LIB_DIR: join(CUDA, "lib"),
    CUDA_ARCH: process.env.CUDA_ARCH ?? CUDA_ARCH,
    CARGO_TARGET_DIR: target,
  };
}

async function run(program: string, args: readonly string[], env = process.env): Promise<void> {
  try {
    await promisify(execFile)(program, args, { cwd: inRepository(), env, maxBuffer: OUTPUT_BYTES_MAX });
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    throw new Error(`${program} failed:\n${stderr.split("\n").slice(-30).join("\n")}`, { cause: error });
  }
}

function digestOf(globs: readonly string[]): string {
  const files = globSync(globs, { cwd: inRepository(), withFileTypes: true });
  const digest = createHash("sha256");
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of paths.toSorted()) digest.update(path.slice(inRepository().length)).update(readFileSync(path));
  return digest.digest("hex");
}
