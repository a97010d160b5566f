/**
 * The data volumes of this node: fetched once, stored until their room is needed, and never taken from under a workload
 * that has them or shall have them.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { EvictableStore } from "../domain/evictable.ts";
import { KeyedLock } from "../domain/keyed-lock.ts";
import { StartFailure } from "../domain/start-failure.ts";
import { type BringWork, bringFiles, type Cache } from "./bring-files.ts";
import { openCacheFolder } from "./cache-folder.ts";
import { CacheState } from "./cache-state.ts";
import { FileUnavailableError } from "./fetch-file.ts";
import { MANIFEST_BYTES_MAX } from "./manifest.ts";

export interface WantedVolume {
  readonly manifestSha256: string;
  readonly manifestBytes: number;
}

export interface MountedVolume {
  /** The folder to mount. */
  readonly path: string;
  /** Brought in for it now; 0 when it was here. */
  readonly fetchedBytes: number;
  /** Nobody reads it any more. */
  release(): void;
}

export interface VolumeCache extends EvictableStore {
  /** The volumes, by their lists, that workloads of this node shall have from now on. */
  want(manifestSha256s: ReadonlySet<string>): void;
  /** Rejects with a StartFailure, or with the signal's reason. */
  mount(volume: WantedVolume, work: BringWork): Promise<MountedVolume>;
  /** What is on the disk. */
  bytes(): number;
}

export interface VolumeCacheOptions {
  readonly dir: string;
  readonly bytesMax: number;
  readonly clock: Clock;
  readonly log: Logger;
}

export async function openVolumeCache(options: VolumeCacheOptions): Promise<VolumeCache> {
  const { dir, bytesMax, clock, log } = options;
  const folder = await openCacheFolder(dir);
  const state = new CacheState(folder, bytesMax, log);
  const cache: Cache = { folder, state, lock: new KeyedLock() };

  /** Remembered, and noted on the disk for the next process. */
  const used = async (id: string): Promise<void> => {
    const tree = state.trees.get(id);
    if (tree === undefined) return;
    state.trees.set(id, { ...tree, usedAtMs: clock.now() });
    await folder.touchTree(id).catch((error: unknown) => log.warn({ err: error }, "a volume's use is not noted"));
  };

  const mounted = (id: string, fetchedBytes: number): MountedVolume => {
    let isReleased = false;
    return {
      path: folder.treePath(id),
      fetchedBytes,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        state.mounted.drop(id);
        void used(id);
      },
    };
  };

  return {
    want: (ids) => {
      state.wanted = ids;
    },
    bytes: () => state.bytes(),
    folder: () => dir,
    evictable: async () => {
      const next = state.next();
      const evict = () => cache.lock.run("room", new AbortController().signal, () => state.evictNext());
      return next === null ? [] : [{ ...next, evict }];
    },
    mount: async (volume, work) => {
      const id = volume.manifestSha256;
      state.mounted.add(id);
      try {
        const fetchedBytes = await cache.lock.run(`tree/${id}`, work.signal, () => bring(cache, volume, work));
        await used(id);
        if (fetchedBytes > 0) log.info({ volume: id, fetchedBytes }, "a volume was brought in");
        return mounted(id, fetchedBytes);
      } catch (error) {
        state.mounted.drop(id);
        work.signal.throwIfAborted();
        throw failureOf(error);
      }
    },
  };
}

/** Returns how many bytes of its files had to come. */
async function bring(cache: Cache, volume: WantedVolume, work: BringWork): Promise<number> {
  const { state, folder } = cache;
  const { manifestSha256: id, manifestBytes } = volume;
  if (state.trees.has(id)) return 0;
  if (manifestBytes > MANIFEST_BYTES_MAX) throw new Error(`the volume's list has ${manifestBytes} bytes`);
  const needed = [id];
  state.needed.add(id);
  try {
    await bringFiles(cache, [{ sha256: id, bytes: manifestBytes }], { ...work, onBytes: () => undefined });
    const files = await folder.readList(id);
    const distinct = [...new Map(files.map((file) => [file.sha256, file])).values()];
    for (const { sha256 } of distinct) {
      needed.push(sha256);
      state.needed.add(sha256);
    }
    const fetchedBytes = await bringFiles(cache, distinct, work);
    await folder.layTree(id, files);
    state.trees.set(id, { id, usedAtMs: 0, sha256s: [id, ...distinct.map(({ sha256 }) => sha256)] });
    return fetchedBytes;
  } finally {
    for (const sha256 of needed) state.needed.drop(sha256);
  }
}

function failureOf(error: unknown): StartFailure {
  if (error instanceof StartFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : null;
  const reason = code === "ENOSPC" || code === "EDQUOT" ? "node_disk_full" : "internal";
  const what =
    error instanceof FileUnavailableError ? "the volume cannot be had" : "the volume could not be brought in";
  return new StartFailure(reason, `${what}: ${message}`, { cause: error });
}
