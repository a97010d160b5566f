/** Runs Python with the client library of this repository. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";

const run = promisify(execFile);
const FOLDER = inRepository("clients", "python");

/** What it printed; `env` has the `PATH`. Rejects with what it wrote to stderr where it fails. */
export async function runPython(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const surroundings = { PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: "1", ...env };
  const { stdout } = await run("python3", args, { cwd: FOLDER, env: surroundings });
  return stdout;
}
