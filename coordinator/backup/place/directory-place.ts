/** Backups in a directory: written next to their name, synced, and renamed. */
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, unlink } from "node:fs/promises";
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
    list: async () => await readdir(dir),
    remove: (name) => unlink(join(dir, name)),
    close: () => undefined,
  };
}

async function write(dir: string, name: string, file: Readable): Promise<void> {
  await mkdir(dir, { recursive: true });
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
    throw error;
  }
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
