/** The build file of a source, read where no symbolic link leads out of the source. */
import { lstat, readFile, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { BuildFailure } from "../../domain/build-failure.ts";
import { invalid } from "./archive-paths.ts";

const BUILD_FILE_BYTES_MAX = 1024 * 1024;

/** A directory of the source. Throws BuildFailure where there is none, or a link leads elsewhere. */
export async function directoryWithin(source: string, path: string): Promise<string> {
  const directory = await resolveWithin(source, path);
  if (directory === null || !(await lstat(directory)).isDirectory()) {
    throw invalid(`there is no directory ${JSON.stringify(path)} in it`);
  }
  return directory;
}

/** Null where there is none. */
export async function readBuildFile(source: string, path: string): Promise<string | null> {
  const file = await resolveWithin(source, path);
  if (file === null) return null;
  const stats = await lstat(file);
  const { size } = stats;
  if (!stats.isFile()) return null;
  if (size > BUILD_FILE_BYTES_MAX) {
    throw new BuildFailure("build_failed", `${path} has ${size} bytes; at most ${BUILD_FILE_BYTES_MAX} are read`);
  }
  return await readFile(file, "utf8");
}

/** Where the path leads, without any symbolic link; null where there is nothing. */
async function resolveWithin(source: string, path: string): Promise<string | null> {
  const root = await realpath(source);
  const real = await realpath(join(root, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (real === null || real === root) return real;
  if (!real.startsWith(root + sep)) throw invalid(`${JSON.stringify(path)} leads out of the source`);
  return real;
}
