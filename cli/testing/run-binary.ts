/** Runs the real command as a child process. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  /** Told what it says meanwhile, as it says it. */
  readonly onStderr?: (text: string) => void;
}

export function runBinary(args: readonly string[], surroundings: Surroundings): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: surroundings.directory,
    env: { ...COMPILE_CACHE, ...surroundings.env },
    stdio: "pipe",
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk) => stdout.push(chunk));
  child.stderr.on("data", (chunk) => {
    stderr.push(chunk);
    surroundings.onStderr?.(String(chunk));
  });
  child.stdin.on("error", () => {});
  child.stdin.end(surroundings.stdin ?? "");
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    );
  });
}

/** The command line that runs the command, for a shell. */
export function shellCommand(args: string): string {
  return `'${process.execPath}' '${MAIN}' ${args}`;
}
