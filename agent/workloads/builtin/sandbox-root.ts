/**
 * Lays out what a kernel host needs in one folder that an unprivileged user can read, wherever the agent itself
 * was unpacked: its sources, koffi, the library. The copies also keep running hosts apart from a later build.
 *
 *   <folder>/package.json  kernels/**.ts  node_modules/{koffi,@koromix/koffi-*}  lib/<library>  [node]
 */
import {
  access,
  chmod,
  constants,
  copyFile,
  cp,
  mkdir,
  readdir,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface SandboxRoot {
  readonly folder: string;
  /** The scripts of agent/kernels. */
  readonly kernels: string;
  readonly libraryFile: string;
  /** A Node binary that any user may run. */
  readonly nodeFile: string;
}

const KERNELS = fileURLToPath(new URL("../../kernels/", import.meta.url));
const COPIED_EXTENSIONS = new Set(["", ".ts", ".js", ".cjs", ".json", ".node", ".so"]);
/** Parts of koffi that are only needed to build it. */
const LEFT_OUT = new Set(["vendor", "doc"]);

/** Replaces what is in `folder`. `companions` are files that the library finds in its own folder. */
export async function createSandboxRoot(
  folder: string,
  libraryPath: string,
  companions: readonly string[] = [],
): Promise<SandboxRoot> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "lib"), { recursive: true });
  await writeFile(join(folder, "package.json"), '{"type":"module"}\n');
  await copyTree(KERNELS, join(folder, "kernels"));
  const koffi = dirname(createRequire(import.meta.url).resolve("koffi"));
  const binding = `@koromix/koffi-${process.platform}-${process.arch}`;
  await copyTree(koffi, join(folder, "node_modules/koffi"));
  await copyTree(dirname(createRequire(koffi).resolve(binding)), join(folder, "node_modules", binding));
  const inLib = (path: string): string => join(folder, "lib", basename(path));
  for (const path of [libraryPath, ...companions]) await copyRegularFile(path, inLib(path));
  await openTree(folder);
  const libraryFile = inLib(libraryPath);
  return { folder, kernels: join(folder, "kernels"), libraryFile, nodeFile: await openNode(folder) };
}

/** A pipe or a device might have no end. */
async function copyRegularFile(from: string, to: string): Promise<void> {
  if (!(await stat(from)).isFile()) throw new Error(`${from} is no regular file`);
  await copyFile(from, to);
}

function copyTree(from: string, to: string): Promise<void> {
  return cp(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => {
      const name = path.slice(from.length).split("/").pop() ?? "";
      return !LEFT_OUT.has(name) && !name.endsWith(".test.ts") && COPIED_EXTENSIONS.has(extname(name));
    },
  });
}

/** Readable by all, writable by the owner, whatever the umask was. */
async function openTree(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

/** The running Node where any user may reach it, else a copy. */
async function openNode(folder: string): Promise<string> {
  const running = await realpath(process.execPath);
  if (await isOpen(running)) return running;
  const copy = join(folder, "node");
  await copyFile(running, copy, constants.COPYFILE_FICLONE);
  await chmod(copy, 0o755);
  return copy;
}

/** Whether a user without any right can read the file and all folders above it. */
async function isOpen(path: string): Promise<boolean> {
  await access(path);
  for (let part = path; ; part = dirname(part)) {
    if (((await stat(part)).mode & 0o005) !== 0o005) return false;
    if (part === dirname(part)) return true;
  }
}
