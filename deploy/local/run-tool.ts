/** Runs a tool to its end. */
import { execFileSync } from "node:child_process";

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Returns what it printed. */
export function runTool(env: NodeJS.ProcessEnv, command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: "utf8", maxBuffer: OUTPUT_BYTES_MAX, env });
}
