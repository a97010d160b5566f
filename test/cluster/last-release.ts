/** The last release, installed in a folder of the test's: out of this repository's history or, in a shallow clone, out of an archive. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Program } from "@elastic/deploy/local/program.ts";
import { inRepository, repositoryRoot } from "@elastic/deploy/local/repository.ts";
import { toolEnvironment } from "./machine.ts";
import { releaseArchive } from "./release-archive.ts";

const INSTALL_TIMEOUT_MS = 300_000;
const run = promisify(execFile);

/** Returns the root of its tree. Needs npm. */
export async function installLastRelease(folder: string): Promise<string> {
  await unpackLastRelease(folder);
  // With the machine's proxies and certificate authorities, by which npm reaches its registry.
  const limits = { env: toolEnvironment(), cwd: folder, timeout: INSTALL_TIMEOUT_MS };
  await run("npm", ["ci", "--ignore-scripts", "--prefer-offline"], limits);
  return folder;
}

/** Returns where its files came from. `clone` is of this repository, with its history or without. */
export async function unpackLastRelease(folder: string, clone = repositoryRoot): Promise<"history" | "archive"> {
  const commit = releasedCommit(readFileSync(inRepository("CHANGELOG.md"), "utf8"));
  const env = toolEnvironment();
  const git = (...args: readonly string[]) => run("git", ["-C", clone, ...args], { env });
  const tar = join(folder, "release.tar");
  const isThere = await git("cat-file", "-e", commit).then(
    () => true,
    () => false,
  );
  if (isThere) await git("archive", `--output=${tar}`, commit);
  else await writeFile(tar, await releaseArchive(commit));
  await run("tar", ["--extract", "--file", tar, "--directory", folder], { env });
  return isThere ? "history" : "archive";
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
