/**
 * Removes blobs that nothing names. A blob is moved aside first and looked at again there: if it was put again
 * between the look and the move, it is moved back. What is no file, and no team's folder, stays.
 */
import { randomBytes } from "node:crypto";
import { lstat, opendir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { FindNamed, Swept } from "./blob-store.ts";
import type { StrayEntries } from "./stray-entries.ts";

/** Old blobs that are looked up together. */
const LOOKED_UP_AT_ONCE = 500;

interface SweptDirectory {
  readonly dir: string;
  readonly stray: StrayEntries;
}

export async function sweepFiles(
  { dir, stray }: SweptDirectory,
  findNamed: FindNamed,
  olderThanMs: number,
): Promise<Swept> {
  const before = Date.now() - olderThanMs;
  const [data, tmp] = [join(dir, "data"), join(dir, "tmp")];
  let blobs = 0;
  let bytes = 0;
  for await (const team of await opendir(data)) {
    if (await stray.isStrayFolder(data, team)) continue;
    for await (const some of oldBlobs(join(data, team.name), stray, before)) {
      const named = await findNamed(team.name, some);
      for (const name of some.filter((one) => !named.has(one))) {
        const removed = await removeIfStillOlder(dir, join(data, team.name, name), before);
        if (removed === null) continue;
        blobs++;
        bytes += removed;
      }
    }
  }
  for await (const left of await opendir(tmp)) {
    if (stray.isStrayFile(tmp, left)) continue;
    const path = join(tmp, left.name);
    if ((await sizeOfOld(path, before)) !== null) await unlink(path).catch(ignoreMissing);
  }
  return { blobs, bytes };
}

async function* oldBlobs(teamDir: string, stray: StrayEntries, before: number): AsyncGenerator<readonly string[]> {
  let some: string[] = [];
  for await (const entry of await opendir(teamDir)) {
    if (stray.isStrayFile(teamDir, entry)) continue;
    if ((await sizeOfOld(join(teamDir, entry.name), before)) !== null) some.push(entry.name);
    if (some.length < LOOKED_UP_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** Its size; null where it stays. */
async function removeIfStillOlder(dir: string, path: string, before: number): Promise<number | null> {
  const aside = join(dir, "tmp", `swept-${randomBytes(12).toString("hex")}`);
  const moved = await rename(path, aside).then(() => true, ignoreMissing);
  if (moved !== true) return null;
  const size = await sizeOfOld(aside, before);
  if (size === null) {
    await rename(aside, path);
    return null;
  }
  await unlink(aside);
  return size;
}

/** Null for what is younger, gone or no file. */
async function sizeOfOld(path: string, before: number): Promise<number | null> {
  const found = await lstat(path).catch(ignoreMissing);
  return found?.isFile() === true && found.mtimeMs < before ? found.size : null;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
