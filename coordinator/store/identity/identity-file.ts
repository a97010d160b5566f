/**
 * The known store in a file of this coordinator's disk, so that it is known over restarts. Coordinators of one machine
 * may share it: what is known of the newest acceptance counts, and of that the highest revision.
 */
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { KnownStore } from "./compare-store.ts";

/** Null where there is none yet. Rejects with a sentence where it cannot be read. */
export async function readIdentity(file: string): Promise<KnownStore | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new Error(`the identity of the store cannot be read: ${error.message}`, { cause: error });
  });
  return text === null ? null : parse(file, text);
}

/** Resolves once it is durable; there completely or not at all. */
export async function writeIdentity(file: string, known: KnownStore): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const newest = newer(known, await readIdentity(file));
  const fresh = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    const handle = await open(fresh, "wx", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(newest)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
  } catch (error) {
    await unlink(fresh).catch(() => undefined);
    throw error;
  }
}

function newer(known: KnownStore, written: KnownStore | null): KnownStore {
  if (written === null || written.epoch < known.epoch) return known;
  if (written.epoch > known.epoch) return written;
  return written.revision > known.revision ? written : known;
}

function parse(file: string, text: string): KnownStore {
  const { clusterId, revision, epoch, blobStoreId } = parseJson(text);
  const isComplete =
    typeof clusterId === "string" &&
    typeof revision === "number" &&
    typeof epoch === "number" &&
    typeof blobStoreId === "string";
  if (!isComplete) throw new Error(`${file} does not hold the identity of a store: remove it if it was damaged`);
  return { clusterId, revision, epoch, blobStoreId };
}

function parseJson(text: string): Partial<KnownStore> {
  try {
    return Object(JSON.parse(text)) as Partial<KnownStore>;
  } catch {
    return {};
  }
}
