/** The last release, out of this repository's history, installed in a folder of the test's. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Program } from "@elastic/deploy/local/program.ts";
import { inRepository, repositoryRoot } from "@elastic/deploy/local/repository.ts";
import { programPath } from "./machine.ts";

const INSTALL_TIMEOUT_MS = 300_000;
const run = promisify(execFile);

/** Returns the root of its tree. Needs git with the release's commit, and npm. */
export async function installLastRelease(folder: string): Promise<string> {
  const commit = releasedCommit(readFileSync(inRepository("CHANGELOG.md"), "utf8"));
  const env = { PATH: programPath(), HOME: homedir() };
  const git = (...args: readonly string[]) => run("git", ["-C", repositoryRoot, ...args], { env });
  await git("cat-file", "-e", commit).catch(() => {
    throw new Error(`this clone lacks commit ${commit} of the last release: git fetch --unshallow`);
  });
  const archive = join(folder, "release.tar");
  await git("archive", `--output=${archive}`, commit);
  await run("tar", ["--extract", "--file", archive, "--directory", folder], { env });
  await run("npm", ["ci", "--ignore-scripts", "--prefer-offline"], { env, cwd: folder, timeout: INSTALL_TIMEOUT_MS });
  return folder;
}

/** Of the newest version of a changelog that has been released. */
export function releasedCommit(changelog: string): string {
  const released = changelog.slice(changelog.search(/^## \[\d/m));
  const commit = /commit `([0-9a-f]{40})`/.exec(released)?.[1];
  if (commit === undefined) throw new Error("the changelog names no commit of a release");
  return commit;
}

/** The same program, out of another tree. */
export function ofRelease(program: Program, root: string): Program {
  const args = program.args.map((arg) =>
    arg.startsWith(`${repositoryRoot}/`) ? root + arg.slice(repositoryRoot.length) : arg,
  );
  return { ...program, args };
}
