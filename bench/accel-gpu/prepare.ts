/**
 * What is built for a GPU, on any machine: the library, its plug-in and tests, and the program that measures with its
 * peers. Only the first time needs a network, for CUDA's compiler and for crates; a tree that was prepared is used as it
 * is, on a machine without one too.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";

const TARGET = inRepository("target", "accel-gpu-bench");
const CUDA = inRepository(".cache", "cuda", "nvidia", "cu13");
const STAMP = join(TARGET, "prepared");
const CRATE = inRepository("kernels", "accel", "rust", "zkaccel-gpu-bench");
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** GPUs that the peers are compiled for: an H100 and an H200. */
const CUDA_ARCH = "90";

/** Builds what is not built of these sources. */
export async function prepare(log: (text: string) => void): Promise<void> {
  const sources = sourcesDigest();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources) return;
  log("Setting up CUDA's compiler and the library (the first time needs a network and takes minutes)");
  await run("bash", ["deploy/setup.sh", "node", "cuda", "accel"]);
  if (!existsSync(join(CUDA, "bin", "nvcc"))) throw new Error("There is no CUDA compiler: see .cache/setup/cuda.log");
  log("Building the plug-in for GPUs");
  await run("ninja", ["-C", "target/accel", "zkaccel", "zkaccel_tests", "zkaccel_cuda"]);
  log("Building the program and its peers (the first time needs a network and takes minutes)");
  const manifest = join(CRATE, "Cargo.toml");
  await run("cargo", ["build", "--release", "--locked", "--manifest-path", manifest], cargoEnvironment());
  mkdirSync(TARGET, { recursive: true });
  writeFileSync(STAMP, sources);
}

/** The version that the program's lock file has of a crate. */
export function lockedVersion(name: string): string {
  const lock = readFileSync(join(CRATE, "Cargo.lock"), "utf8");
  return new RegExp(`^name = "${name}"\\nversion = "(.+)"$`, "m").exec(lock)?.[1] ?? "unknown";
}

function cargoEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${join(CUDA, "bin")}:${process.env.PATH}`,
    NVCC: join(CUDA, "bin", "nvcc"),
    CUDA_LIB_DIR: join(CUDA, "lib"),
    CUDA_ARCH: process.env.CUDA_ARCH ?? CUDA_ARCH,
    CARGO_TARGET_DIR: TARGET,
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

/** Of all that the builds read in this repository. */
function sourcesDigest(): string {
  const files = globSync(["kernels/accel/**/*", "provers/poseidon/**/*.{rs,toml}", "deploy/setup/cuda-compiler.txt"], {
    cwd: inRepository(),
    withFileTypes: true,
  });
  const digest = createHash("sha256");
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of paths.toSorted()) digest.update(path.slice(inRepository().length)).update(readFileSync(path));
  return digest.digest("hex");
}
