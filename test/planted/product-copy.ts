/** A copy of the product in a separate folder, into which bugs can be planted. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, readlink, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { inheritedEnvironment } from "../cluster/machine.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";

/** What tests of the coordinator, the agent and the client library need. */
const COPIED = [
  "std",
  "proto",
  "coordinator",
  "agent",
  "clients",
  "cli",
  "deploy",
  "test",
  "package.json",
  "tsconfig.json",
];
/** What is built, which bugs of TypeScript do not change: programs, and the libraries of builtin provers. */
const BUILT = [".cache", "target"];
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
  await Promise.all(files.map((file) => copyFile(inRepository(file), join(root, file)).catch(missing)));
  await linkPackages(root);
  for (const folder of BUILT) await symlink(inRepository(folder), join(root, folder));
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
    if (name === OWN_SCOPE) continue;
    // Of this repository's packages without a scope too the link leads into the copy.
    const own = await readlink(join(from, name)).catch(() => null);
    await symlink(own ?? join(from, name), join(to, name));
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
