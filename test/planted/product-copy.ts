/** A copy of the product in a separate folder, into which bugs can be planted. */
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readlink, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { inheritedEnvironment } from "../cluster/machine.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";

/** What tests of the coordinator and the agent need. */
const COPIED = ["std", "proto", "coordinator", "agent", "cli", "deploy", "test", "package.json", "tsconfig.json"];
/** This repository's own packages, by links that lead into the copy. */
const OWN_SCOPE = "@elastic";

const run = promisify(execFile);

export interface ProductCopy extends Disposable {
  readonly root: string;
  /** Rejects where the patch does not apply. */
  apply(patchFile: string): Promise<void>;
  revert(patchFile: string): Promise<void>;
}

export async function copyProduct(): Promise<ProductCopy> {
  const folder = makeWorkFolder();
  const root = folder.path;
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", ...COPIED];
  const { stdout } = await git(list, inRepository());
  const files = stdout.split("\0").filter((file) => file !== "");
  for (const directory of new Set(files.map(dirname))) await mkdir(join(root, directory), { recursive: true });
  // What git still lists and the working tree no longer has is left out.
  const missing = (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? undefined : Promise.reject(error));
  await Promise.all(files.map((file) => cp(inRepository(file), join(root, file)).catch(missing)));
  await linkPackages(root);
  await symlink(inRepository(".cache"), join(root, ".cache"));
  return {
    root,
    apply: async (patchFile) => void (await git(["apply", patchFile], root)),
    revert: async (patchFile) => void (await git(["apply", "--reverse", patchFile], root)),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Third-party packages by links to where they are; this repository's own within the copy, so that it tests itself. */
async function linkPackages(root: string): Promise<void> {
  const from = inRepository("node_modules");
  const to = join(root, "node_modules");
  await mkdir(join(to, OWN_SCOPE), { recursive: true });
  for (const name of await readdir(from)) {
    if (name !== OWN_SCOPE) await symlink(join(from, name), join(to, name));
  }
  for (const name of await readdir(join(from, OWN_SCOPE))) {
    await symlink(await readlink(join(from, OWN_SCOPE, name)), join(to, OWN_SCOPE, name));
  }
  for (const workspace of COPIED) {
    const own = inRepository(workspace, "node_modules");
    if ((await stat(own).catch(() => null)) !== null) await symlink(own, join(root, workspace, "node_modules"));
  }
}

function git(args: readonly string[], cwd: string) {
  // Outside of a repository `git apply` takes the folder that it is called in.
  const env = { ...inheritedEnvironment(), GIT_CEILING_DIRECTORIES: dirname(cwd) };
  return run("git", args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
}
