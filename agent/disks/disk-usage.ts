/** How full a file system is. */
import { stat, statfs } from "node:fs/promises";

export interface DiskUsage {
  /** The same for folders on the same file system. */
  readonly device: number;
  /** Of its bytes or of its inodes, whichever is fuller; what only root may use does not count. */
  readonly usedPercent: number;
}

/** An engine may store its images in another mount namespace, or where only root gets. */
const NOT_TO_BE_SEEN = ["ENOENT", "EACCES", "ENOTDIR"];

/** Null where there is no such folder to be seen. */
export async function readDiskUsage(folder: string): Promise<DiskUsage | null> {
  try {
    const [{ dev: device }, { blocks, bfree, bavail, files, ffree }] = await Promise.all([
      stat(folder),
      statfs(folder),
    ]);
    return { device, usedPercent: Math.max(percent(blocks - bfree, bavail), percent(files - ffree, ffree)) };
  } catch (error) {
    if (NOT_TO_BE_SEEN.includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

/** Some file systems have no fixed number of inodes, and say 0. */
function percent(used: number, free: number): number {
  return used + free <= 0 ? 0 : (100 * used) / (used + free);
}
