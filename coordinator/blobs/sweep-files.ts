/**
 * Removes blobs that no record names. A blob is moved aside first and looked at again there: if it was put anew
 * between the look and the move, it is moved back.
 */
import { randomBytes } from "node:crypto";
import { opendir, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";

export async function sweepFiles(
  dir: string,
  live: (teamId: string, sha256: string) => boolean,
  olderThanMs: number,
): Promise<number> {
  const before = Date.now() - olderThanMs;
  let removed = 0;
  for await (const team of await opendir(join(dir, "data"))) {
    for await (const blob of await opendir(join(dir, "data", team.name))) {
      if (live(team.name, blob.name)) continue;
      const path = join(dir, "data", team.name, blob.name);
      if ((await isOlder(path, before)) && (await removeIfStillOlder(dir, path, before))) removed++;
    }
  }
  for await (const left of await opendir(join(dir, "tmp"))) {
    const path = join(dir, "tmp", left.name);
    if (await isOlder(path, before)) await unlink(path).catch(ignoreMissing);
  }
  return removed;
}

async function removeIfStillOlder(dir: string, path: string, before: number): Promise<boolean> {
  const aside = join(dir, "tmp", `swept-${randomBytes(12).toString("hex")}`);
  const moved = await rename(path, aside).then(() => true, ignoreMissing);
  if (moved !== true) return false;
  if (!(await isOlder(aside, before))) {
    await rename(aside, path);
    return false;
  }
  await unlink(aside);
  return true;
}

/** False for what is gone. */
async function isOlder(path: string, before: number): Promise<boolean> {
  const found = await stat(path).catch(ignoreMissing);
  return found !== undefined && found.mtimeMs < before;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
