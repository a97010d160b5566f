/** A hash of all that decides how a compiled suite ends. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { trackedPaths } from "../house-rules/source-files.ts";
import { runCommand } from "../runners/command.ts";

export interface SuiteInputs {
  /** Files and folders from the repository's root, the runner's own sources among them. */
  readonly paths: readonly string[];
  /** Commands that print the versions of the tools. */
  readonly tools: readonly (readonly [program: string, ...args: string[]])[];
  /** How the suite is compiled and run. */
  readonly flags: readonly string[];
}

export async function inputsHash({ paths, tools, flags }: SuiteInputs): Promise<string> {
  const files = trackedPaths().filter((path) => paths.some((one) => path === one || path.startsWith(`${one}/`)));
  const versions = await Promise.all(
    tools.map(async ([program, ...args]) => (await runCommand(program, args, { show: false })).output),
  );
  const hash = createHash("sha256");
  // The CPU decides which sets of instructions are tested.
  hash.update(JSON.stringify({ files, versions, flags, cpu: cpus()[0]?.model }));
  for (const path of files)
    hash.update(
      createHash("sha256")
        .update(readFileSync(inRepository(path)))
        .digest(),
    );
  return hash.digest("hex");
}
