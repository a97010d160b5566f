/** The file of a blob, which may turn out to be none: a directory, a FIFO or a link in its place. */
import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename } from "node:fs/promises";
import { BlobsUnavailableError } from "./blob-store.ts";

/** A FIFO without a writer opens at once, and no link is followed out of the directory. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
/** Of a symbolic link, and of a socket. */
const NOT_OPENED = ["ELOOP", "ENXIO"];

/** Null where something else is in its place. Rejects as `open` does where nothing is. */
export async function openBlobFile(
  path: string,
): Promise<{ readonly file: FileHandle; readonly bytes: number } | null> {
  const file = await open(path, FLAGS).catch(async (error: NodeJS.ErrnoException) => {
    // Its folder may be the loop of links.
    if (NOT_OPENED.includes(error.code ?? "") && !(await lstat(path)).isFile()) return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (found.isFile()) return { file, bytes: found.size };
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return null;
}

/**
 * Gives the blob its name, whatever has it. A directory is moved aside, for it may hold what is somebody's; `moved` is called
 * then.
 */
export async function nameBlobFile(temporary: string, path: string, aside: string, moved: () => void): Promise<void> {
  try {
    return await rename(temporary, path);
  } catch (error) {
    if (!isDirectoryThere(error)) throw error;
  }
  // With a slash, so that only a directory is moved: another put may have been here meanwhile.
  const failed = await rename(`${path}/`, aside).then(moved, (error: Error) => error);
  try {
    await rename(temporary, path);
  } catch (error) {
    if (!isDirectoryThere(error)) throw error;
    const why = failed?.message ?? "another one was made";
    throw new BlobsUnavailableError(`${path} is a directory in the place of a blob: move it away (${why})`, {
      cause: error,
    });
  }
}

function isDirectoryThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EISDIR";
}
