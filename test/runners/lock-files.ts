/** Whether each lock file of the repository agrees with its manifest; checked by the tool that writes it. */
import { basename, dirname } from "node:path/posix";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { findProgram } from "@elastic/deploy/local/search-path.ts";
import { programPath } from "../cluster/machine.ts";
import { runCommand } from "./command.ts";

/** By the file's name: a command, run in its folder, that changes nothing and fails where the file is stale. */
const CHECKS: ReadonlyMap<string, readonly [program: string, ...args: string[]]> = new Map([
  // Resolves as a build does, from the registry's index alone: `cargo metadata` downloads every crate first.
  ["Cargo.lock", ["cargo", "update", "--workspace", "--locked"]],
  ["package-lock.json", ["npm", "ls", "--all", "--package-lock-only"]],
  ["go.sum", ["go", "list", "-mod=readonly", "-m", "all"]],
]);

export function lockFilesAmong(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => CHECKS.has(basename(path)));
}

export type LockFileState = "current" | { readonly stale: string } | { readonly notChecked: string };

export async function lockFileState(path: string, root = inRepository()): Promise<LockFileState> {
  const [program, ...args] = CHECKS.get(basename(path)) ?? [];
  if (program === undefined) throw new Error(`${path} is no lock file`);
  if (findProgram(program, programPath()) === null) return { notChecked: `${program} is not installed` };
  const { code, output } = await runCommand(program, args, { show: false, cwd: `${root}/${dirname(path)}` });
  return code === 0 ? "current" : { stale: output };
}
