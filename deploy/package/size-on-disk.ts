/** What a folder takes on a disk. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Of file systems as they usually are. */
const BLOCK_BYTES = 4096;

export async function sizeOnDisk(folder: string): Promise<number> {
  let blocks = 0;
  for (const path of await readdir(folder, { recursive: true })) {
    const status = await lstat(join(folder, path));
    blocks += status.isFile() ? Math.ceil(status.size / BLOCK_BYTES) : 1;
  }
  return blocks * BLOCK_BYTES;
}
