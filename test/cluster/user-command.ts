/** The user's command `elastic`, in a separate folder. */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { BUNDLED_COMMAND } from "elastic-cli/testing/bundled-command.ts";
import { programPath } from "./machine.ts";

const TIMEOUT_MS = 180_000;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type UserCommand = (...args: readonly string[]) => Promise<Ran>;

export interface UserOptions {
  /** Holds what it keeps. */
  readonly folder: string;
  readonly url: string;
  readonly key: string;
  readonly engineSocket: string;
}

export function userCommand({ folder, url, key, engineSocket }: UserOptions): UserCommand {
  const cwd = join(folder, "project");
  mkdirSync(cwd, { recursive: true });
  const env = {
    ...COMPILE_CACHE,
    PATH: programPath(),
    ELASTIC_CONFIG_DIR: join(folder, "config"),
    ELASTIC_URL: url,
    ELASTIC_API_KEY: key,
    DOCKER_HOST: `unix://${engineSocket}`,
  };
  const options = { cwd, env, timeout: TIMEOUT_MS };
  return (...args) =>
    new Promise((resolve) => {
      execFile(process.execPath, ["--", BUNDLED_COMMAND, ...args], options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
      );
    });
}
