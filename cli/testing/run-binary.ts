/** Runs the real command as a child process. */
import { spawn } from "node:child_process";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { BUNDLED_COMMAND } from "./bundled-command.ts";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  /** Called with what it writes to stderr while it runs. */
  readonly onStderr?: (text: string) => void;
  /** Ctrl-C, once it has written this to stderr. */
  readonly interruptAfter?: string;
}

/** Resolves with the exit code once the process and its output have ended; `code` is null where a signal ended it. */
export function runBinary(args: readonly string[], surroundings: Surroundings): Promise<Ran> {
  const child = spawn(process.execPath, ["--", BUNDLED_COMMAND, ...args], {
    cwd: surroundings.directory,
    env: { ...COMPILE_CACHE, ...surroundings.env },
    stdio: "pipe",
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let mayInterrupt = surroundings.interruptAfter !== undefined;
  child.stdout.on("data", (chunk) => stdout.push(chunk));
  child.stderr.on("data", (chunk) => {
    stderr.push(chunk);
    surroundings.onStderr?.(String(chunk));
    if (mayInterrupt && Buffer.concat(stderr).includes(surroundings.interruptAfter ?? "")) {
      mayInterrupt = false;
      child.kill("SIGINT");
    }
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
  return `'${process.execPath}' -- '${BUNDLED_COMMAND}' ${args}`;
}
