/**
 * Removes blobs that nothing names. A blob is moved aside first and looked at again there: if it was put again
 * between the look and the move, it is moved back.
 */
import { randomBytes } from "node:crypto";
import { opendir, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { FindNamed, Swept } from "./blob-store.ts";

/** Old blobs that are looked up together. */
const LOOKED_UP_AT_ONCE = 500;

export async function sweepFiles(dir: string, findNamed: FindNamed, olderThanMs: number): Promise<Swept> {
  const before = Date.now() - olderThanMs;
  let blobs = 0;
  let bytes = 0;
  for await (const team of await opendir(join(dir, "data"))) {
    for await (const some of oldBlobs(join(dir, "data", team.name), before)) {
      const named = await findNamed(team.name, some);
      for (const name of some.filter((one) => !named.has(one))) {
        const removed = await removeIfStillOlder(dir, join(dir, "data", team.name, name), before);
        if (removed === null) continue;
        blobs++;
        bytes += removed;
      }
    }
  }
  for await (const left of await opendir(join(dir, "tmp"))) {
    const path = join(dir, "tmp", left.name);
    if ((await sizeOfOld(path, before)) !== null) await unlink(path).catch(ignoreMissing);
  }
  return { blobs, bytes };
}

async function* oldBlobs(teamDir: string, before: number): AsyncGenerator<readonly string[]> {
  let some: string[] = [];
  for await (const { name } of await opendir(teamDir)) {
    if ((await sizeOfOld(join(teamDir, name), before)) !== null) some.push(name);
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

/** Null for what is younger or gone. */
async function sizeOfOld(path: string, before: number): Promise<number | null> {
  const found = await stat(path).catch(ignoreMissing);
  return found !== undefined && found.mtimeMs < before ? found.size : null;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
