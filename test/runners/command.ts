/** Runs one command of a test run. */
import { spawn } from "node:child_process";
import { repositoryRoot } from "@elastic/deploy/local/repository.ts";
import { inheritedEnvironment } from "../cluster/machine.ts";

export interface CommandEnd {
  readonly code: number | null;
  /** Standard output and error together, also when shown. */
  readonly output: string;
}

const OUTPUT_CHARACTERS_MAX = 64 * 1024 * 1024;

/** Runs to the end. `show` passes what it prints on, as it comes. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { readonly show: boolean; readonly env?: Readonly<Record<string, string>>; readonly cwd?: string },
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? repositoryRoot,
      env: { ...inheritedEnvironment(), ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const take = (data: Buffer): void => {
      if (options.show) process.stdout.write(data);
      if (output.length < OUTPUT_CHARACTERS_MAX) output += data;
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("error", (error) => resolve({ code: null, output: `${command}: ${error.message}` }));
    child.once("close", (code) => resolve({ code, output }));
  });
}
