/** The Rust program that measures, with its peer: built when it is first needed, apart from the product's own builds. */
import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";

const CRATE = inRepository("kernels", "folding", "vs-nova");
const TARGET = inRepository("target", "folding-bench");
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/** Builds it as fast as its peer can be on this machine. */
export async function buildProgram(): Promise<void> {
  const env = { ...process.env, CARGO_TARGET_DIR: TARGET, RUSTFLAGS: "-C target-cpu=native" };
  const args = ["build", "--release", "--locked", "--manifest-path", `${CRATE}/Cargo.toml`];
  await promisify(execFile)("cargo", args, { cwd: inRepository(), env, maxBuffer: OUTPUT_BYTES_MAX });
}

/** Runs it and returns what it printed; its lines meanwhile go to `log`. */
export function runProgram(args: readonly string[], log: (text: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const program = spawn(`${TARGET}/release/vs_nova`, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    program.stdout.on("data", (data: Buffer) => {
      output += data;
    });
    createInterface(program.stderr).on("line", log);
    program.once("error", reject);
    program.once("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`vs_nova ended with ${code}`));
    });
  });
}

/** The version that the program's lock file has of a crate. */
export function lockedVersion(name: string): string {
  const lock = readFileSync(`${CRATE}/Cargo.lock`, "utf8");
  return new RegExp(`^name = "${name}"\\nversion = "(.+)"$`, "m").exec(lock)?.[1] ?? "unknown";
}
