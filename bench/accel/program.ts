/** The Rust program that measures, with its peers: built when it is first asked for, apart from the product's own builds. */
import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import type { Report } from "./report.ts";

const TARGET = inRepository("target", "accel-bench");
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/** Builds it as fast as its peers can be on this machine. */
export async function buildProgram(): Promise<void> {
  const env = { ...process.env, CARGO_TARGET_DIR: TARGET, RUSTFLAGS: "-C target-cpu=native" };
  const args = ["build", "--release", "--locked", "--package", "zkaccel-bench"];
  await promisify(execFile)("cargo", args, { cwd: inRepository(), env, maxBuffer: OUTPUT_BYTES_MAX });
}

/** Runs it; what it says meanwhile goes to `tell`. */
export function runProgram(args: readonly string[], tell: (text: string) => void): Promise<Report> {
  return new Promise((resolve, reject) => {
    const program = spawn(`${TARGET}/release/zkaccel-bench`, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    program.stdout.on("data", (data: Buffer) => {
      output += data;
    });
    createInterface(program.stderr).on("line", tell);
    program.once("error", reject);
    program.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(output) as Report);
      else reject(new Error(`zkaccel-bench ended with ${code}`));
    });
  });
}

/** The version that Cargo.lock has of a package. */
export function lockedVersion(name: string): string {
  const lock = readFileSync(inRepository("Cargo.lock"), "utf8");
  return new RegExp(`^name = "${name}"\\nversion = "(.+)"$`, "m").exec(lock)?.[1] ?? "unknown";
}
