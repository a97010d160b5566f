/** The environment of a new deployment: that of the files, and over it what stands on the command line. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { parseEnvFile } from "../input/env-file.ts";
import { whyUnread } from "../input/why-unread.ts";

type Env = Readonly<Record<string, string>>;

interface EnvOptions {
  readonly env: Env;
  readonly envFile: readonly string[];
}

/**
 * Paths are relative to `directory`; a later file overrides an earlier one. Throws a CliError for a file that is
 * unreadable or malformed.
 */
export async function deploymentEnv(directory: string, { env, envFile: paths }: EnvOptions): Promise<Env> {
  const files: Env[] = [];
  for (const path of paths) files.push(parseEnvFile(await readEnvFile(directory, path), path));
  return Object.assign({}, ...files, env);
}

async function readEnvFile(directory: string, path: string): Promise<string> {
  return await readFile(resolve(directory, path), "utf8").catch((cause: unknown) => {
    const next = "Name a file of lines NAME=value.";
    throw new CliError(`Could not read ${path}: ${whyUnread(cause)}.`, {
      exitCode: EXIT.usage,
      code: "usage",
      next,
      cause,
    });
  });
}
