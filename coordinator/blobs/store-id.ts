/** Ties a directory of blobs to one store: with the blobs of another, every large input would be missing. */
import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { BlobsUnavailableError } from "./blob-store.ts";

/** Marks a fresh directory as the store's; rejects when it is another's. */
export async function claimDirectory(dir: string, storeId: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const path = join(dir, "store-id");
  refuseOther(dir, (await read(path)) ?? (await mark(dir, path, storeId)), storeId);
}

/** Rejects when the directory is no longer the store's, or has lost the folder of its blobs. */
export async function assertOwned(dir: string, storeId: string): Promise<void> {
  refuseOther(dir, await read(join(dir, "store-id")), storeId);
  const data = await stat(join(dir, "data"));
  if (!data.isDirectory()) throw new BlobsUnavailableError(`${join(dir, "data")} is not a directory`);
}

function refuseOther(dir: string, owner: string | null, storeId: string): void {
  if (owner === storeId) return;
  throw new BlobsUnavailableError(
    `${dir} holds the blobs of store ${owner}, not of ${storeId}: it belongs to another installation`,
  );
}

async function read(path: string): Promise<string | null> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : text.trim();
}

/** Linked into place when complete: of two coordinators that start together one marks, and both read the same. */
async function mark(dir: string, path: string, storeId: string): Promise<string | null> {
  const fresh = join(dir, `store-id.${randomBytes(6).toString("hex")}`);
  const file = await open(fresh, "wx");
  try {
    await file.writeFile(`${storeId}\n`);
    await file.sync();
    await link(fresh, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await file.close();
    await unlink(fresh);
  }
  return await read(path);
}
