/**
 * The images that this agent has fetched, with their last use, over restarts: what it may evict. Whatever else the engine
 * has is of others on this machine, and stays.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Evictable } from "../domain/evictable.ts";
import type { ImageUse } from "../domain/image-use.ts";

export interface ImageLedger extends ImageUse {
  /** The images of workloads that this node shall have from now on. */
  want(images: ReadonlySet<string>): void;
  /** What `remove` may be called for. */
  evictable(remove: (image: string) => Promise<void>): readonly Evictable[];
}

export interface ImageLedgerOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly log: Logger;
}

export async function openImageLedger({ file, clock, log }: ImageLedgerOptions): Promise<ImageLedger> {
  const usedAtMs = await readLedger(file, log);
  const evictions = new Map<string, Promise<void>>();
  let wanted: ReadonlySet<string> | null = null;
  let written: Promise<void> = Promise.resolve();

  /** One after the other, each with what is known by then. */
  const write = (): Promise<void> => {
    written = written.catch(() => undefined).then(() => writeLedger(file, usedAtMs));
    return written;
  };
  const note = (): void => {
    write().catch((error: unknown) => log.warn({ err: error }, "the uses of images are not noted"));
  };

  const evict = async (image: string, remove: (image: string) => Promise<void>): Promise<void> => {
    // It may have been assigned since it was proposed.
    if (wanted?.has(image) !== false) throw new Error("it is assigned to this node");
    const eviction = remove(image).finally(() => evictions.delete(image));
    evictions.set(image, eviction);
    await eviction;
    usedAtMs.delete(image);
    note();
  };

  return {
    want: (images) => {
      const left = [...(wanted ?? [])].filter((image) => !images.has(image) && usedAtMs.has(image));
      wanted = images;
      for (const image of left) usedAtMs.set(image, clock.now());
      if (left.length > 0) note();
    },
    whenSettled: async (image) => {
      await evictions.get(image)?.catch(() => undefined);
    },
    fetching: async (image) => {
      usedAtMs.set(image, clock.now());
      await write();
    },
    evictable: (remove) => {
      if (wanted === null) return [];
      const free = [...usedAtMs].filter(([image]) => wanted?.has(image) === false);
      return free.map(([image, usedAt]) => ({
        name: `image ${image}`,
        usedAtMs: usedAt,
        evict: () => evict(image, remove),
      }));
    },
  };
}

/** Without it nothing is evicted that an earlier process fetched. */
async function readLedger(file: string, log: Logger): Promise<Map<string, number>> {
  try {
    const entries: unknown = JSON.parse(await readFile(file, "utf8"));
    return new Map(Object.entries(entries as Record<string, number>).filter(([, at]) => typeof at === "number"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      log.warn({ err: error, file }, "the list of fetched images cannot be read: it begins again");
    return new Map();
  }
}

async function writeLedger(file: string, usedAtMs: ReadonlyMap<string, number>): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(Object.fromEntries(usedAtMs)), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
