/** Somebody at a terminal in an empty folder, with `elastic` and cargo on the path. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { BUNDLED_COMMAND } from "elastic-cli/testing/bundled-command.ts";
import { inheritedEnvironment, programPath } from "./machine.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const TYPED_TIMEOUT_MS = 300_000;

export interface NewUser {
  /** Where the code is. */
  readonly directory: string;
  /** Runs a line of shell to its end and returns what it printed; rejects with its output when it fails. */
  types(line: string): Promise<string>;
  /** Runs a line of shell on a terminal. */
  sitsAt(line: string): Terminal;
  /** Starts a line of shell that continues to run, and returns the first match in a line that it writes to stderr. */
  starts(line: string, find: RegExp): Promise<AsyncDisposable & { readonly found: string }>;
}

export function newUser(folder: string, env: Readonly<Record<string, string>>): NewUser {
  const directory = join(folder, "code");
  const programs = join(folder, "bin");
  for (const made of [directory, programs]) mkdirSync(made, { recursive: true });
  const command = `#!/bin/sh\nexec "${process.execPath}" -- "${BUNDLED_COMMAND}" "$@"\n`;
  writeFileSync(join(programs, "elastic"), command, { mode: 0o755 });
  const surroundings = {
    cwd: directory,
    env: {
      ...inheritedEnvironment(),
      ...COMPILE_CACHE,
      PATH: `${programs}:${programPath()}`,
      ELASTIC_CONFIG_DIR: join(folder, "config"),
      ...env,
    },
  };
  return {
    directory,
    types: (line) =>
      new Promise((resolve, reject) => {
        execFile("sh", ["-c", line], { ...surroundings, timeout: TYPED_TIMEOUT_MS }, (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`${line}: exit ${error.code}\n${stdout}${stderr}`));
        });
      }),
    sitsAt: (line) => openTerminal(line, surroundings),
    async starts(line, find) {
      const child = spawn("sh", ["-c", `exec ${line}`], { ...surroundings, stdio: ["ignore", "ignore", "pipe"] });
      const ended = once(child, "exit");
      const end = async () => {
        child.kill();
        await ended;
      };
      for await (const line of createInterface(child.stderr)) {
        const found = find.exec(line)?.[1];
        if (found !== undefined) return { found, [Symbol.asyncDispose]: end };
      }
      throw new Error(`${line} ended without a word of ${find}`);
    },
  };
}
