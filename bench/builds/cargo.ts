/** Cargo on the machine itself, without a sandbox. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inheritedEnvironment, programPath } from "@elastic/test/cluster/machine.ts";

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Resolves with what it printed; rejects with its output when it fails. */
export async function runCargo(folder: string, args: readonly string[]): Promise<string> {
  // A target folder of the machine would be warm, whatever a measurement deletes.
  const { CARGO_TARGET_DIR: _, ...inherited } = inheritedEnvironment();
  const env = { ...inherited, PATH: programPath() };
  return (await promisify(execFile)("cargo", [...args], { cwd: folder, env, maxBuffer: OUTPUT_BYTES_MAX })).stdout;
}

export async function cargoVersion(): Promise<string> {
  return (await runCargo("/", ["--version"])).split(" ")[1] ?? "";
}
