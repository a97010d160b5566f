/**
 * Backups in a directory: written next to their name, synced, and renamed. The directory is never made: it may be that of a disk
 * which is not mounted.
 */
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DirectorySync } from "../../blobs/directory-sync.ts";
import { BackupError } from "../file/backup-error.ts";
import type { BackupPlace } from "./backup-place.ts";

export function directoryPlace(dir: string): BackupPlace {
  return {
    description: dir,
    write: (name, file) => write(dir, name, file),
    read: async (name) => await openIfThere(join(dir, name)),
    list: async () =>
      await readdir(dir).catch((error: NodeJS.ErrnoException) => Promise.reject(whyNoPlace(dir, error))),
    remove: (name) => unlink(join(dir, name)),
    close: () => undefined,
  };
}

async function write(dir: string, name: string, file: Readable): Promise<void> {
  const fresh = join(dir, `.${name}.${randomBytes(6).toString("hex")}`);
  try {
    const handle = await open(fresh, "wx", 0o600);
    // Synced before it is closed.
    await pipeline(file, handle.createWriteStream({ flush: true }));
    await rename(fresh, join(dir, name));
    await new DirectorySync(dir).sync();
  } catch (error) {
    file.destroy();
    await unlink(fresh).catch(() => undefined);
    throw whyNotWritten(dir, error as NodeJS.ErrnoException);
  }
}

function whyNoPlace(dir: string, error: NodeJS.ErrnoException): Error {
  if (error.code === "ENOENT") {
    return new BackupError(
      `nothing was written: the directory ${dir} does not exist. Mount or create it, then repeat the command`,
    );
  }
  if (error.code === "ENOTDIR") return new BackupError(`nothing was written: ${dir} is no directory. Name one (--to)`);
  return new BackupError(`nothing was written: ${dir} cannot be read: ${error.message}`, { cause: error });
}

function whyNotWritten(dir: string, error: NodeJS.ErrnoException): Error {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return whyNoPlace(dir, error);
  if (error.code === "ENOSPC" || error.code === "EDQUOT") {
    return new BackupError(
      `no backup was written: ${dir} has no room for it. Make room there, or name another place (--to); older backups are as they were`,
      { cause: error },
    );
  }
  if (error.syscall === undefined) return error;
  return new BackupError(`no backup was written: ${dir} cannot be written: ${error.message}`, { cause: error });
}

async function openIfThere(path: string): Promise<Readable | null> {
  const handle = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (handle !== null && (await handle.stat()).isDirectory()) {
    await handle.close();
    throw new BackupError(`${path} is a directory: name one backup in it`);
  }
  return handle && createReadStream("", { fd: handle, highWaterMark: 256 * 1024 });
}
