/** Brings files to the cache that are not there, a few at a time; two volumes with the same file wait for each other. */

import type { KeyedLock } from "../domain/keyed-lock.ts";
import type { CacheFolder } from "./cache-folder.ts";
import type { CachedFile } from "./cache-room.ts";
import type { CacheState } from "./cache-state.ts";
import { fetchFile, type OpenFile } from "./fetch-file.ts";

export interface BringWork {
  readonly open: OpenFile;
  readonly onBytes: (doneBytes: number, totalBytes: number) => void;
  readonly signal: AbortSignal;
}

export interface Cache {
  readonly state: CacheState;
  readonly folder: CacheFolder;
  readonly lock: KeyedLock;
}

const FETCHES_AT_ONCE = 4;

/** Returns how many bytes had to come. The files are retained for whoever counts them as needed. */
export async function bringFiles(cache: Cache, files: readonly CachedFile[], work: BringWork): Promise<number> {
  const { state, lock } = cache;
  const missing = files.filter((file) => !state.has(file));
  if (missing.length === 0) return 0;
  const totalBytes = missing.reduce((total, { bytes }) => total + bytes, 0);
  const release = await lock.run("room", work.signal, () => state.reserve(missing));
  let reserved = totalBytes;
  let doneBytes = 0;
  const onBytes = (bytes: number): void => {
    doneBytes += bytes;
    work.onBytes(doneBytes, totalBytes);
  };
  const stop = new AbortController();
  const signal = AbortSignal.any([work.signal, stop.signal]);
  const queue = [...missing];
  const bringNext = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      await bringFile(cache, file, { open: work.open, onBytes, signal });
      reserved -= file.bytes;
      release(file.bytes);
    }
  };
  work.onBytes(0, totalBytes);
  try {
    await allOrFirstFailure(Array.from({ length: FETCHES_AT_ONCE }, bringNext), stop);
  } finally {
    release(reserved);
  }
  return totalBytes;
}

interface FileWork {
  readonly open: OpenFile;
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

async function bringFile({ state, folder, lock }: Cache, file: CachedFile, work: FileWork): Promise<void> {
  const { sha256, bytes } = file;
  const places = { partial: folder.partialPath(sha256), path: folder.filePath(sha256) };
  await lock.run(`file/${sha256}`, work.signal, async () => {
    // Another volume that is being put together may have brought it.
    if (state.has(file)) return work.onBytes(bytes);
    let come = 0;
    const onBytes = (more: number): void => {
      come += more;
      work.onBytes(more);
    };
    try {
      await fetchFile({ ...places, file, open: work.open, onBytes, signal: work.signal });
      state.hasCome(file);
    } catch (error) {
      state.hasComeInPart(sha256, come);
      throw error;
    }
  });
}

/** The first that fails ends the others, and all have ended when this does. */
async function allOrFirstFailure(works: readonly Promise<void>[], stop: AbortController): Promise<void> {
  let failed: { readonly error: unknown } | null = null;
  const fail = (error: unknown): void => {
    failed ??= { error };
    stop.abort(error);
  };
  await Promise.all(works.map((work) => work.catch(fail)));
  if (failed !== null) throw (failed as { readonly error: unknown }).error;
}
