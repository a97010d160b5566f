/** The Rust program that measures, with its peers: built when it is first needed, apart from the product's own builds. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import type { Report } from "./report.ts";

const TARGET = inRepository("target", "accel-bench");

/** Builds it as fast as its peers can be on this machine; each line of cargo's goes to `log`. */
export async function buildProgram(log: (text: string) => void): Promise<void> {
  const env = { ...process.env, CARGO_TARGET_DIR: TARGET, RUSTFLAGS: "-C target-cpu=native" };
  const args = ["build", "--profile", "measure", "--locked", "--package", "zkaccel-bench"];
  const cargo = spawn("cargo", args, { cwd: inRepository(), env, stdio: ["ignore", "ignore", "pipe"] });
  createInterface(cargo.stderr).on("line", log);
  const [code] = (await once(cargo, "close")) as [number | null];
  if (code !== 0) throw new Error(`cargo ended with ${code}`);
}

/** Runs it; its lines meanwhile go to `log`. */
export function runProgram(args: readonly string[], log: (text: string) => void): Promise<Report> {
  return new Promise((resolve, reject) => {
    const program = spawn(`${TARGET}/measure/zkaccel-bench`, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    program.stdout.on("data", (data: Buffer) => {
      output += data;
    });
    createInterface(program.stderr).on("line", log);
    program.once("error", reject);
    program.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(output) as Report);
      else reject(new Error(`zkaccel-bench ended with ${code}`));
    });
  });
}
