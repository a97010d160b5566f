/** Checks of what a coordinator needs next to etcd: the directory of blobs, the archive, the registry. */
import { constants } from "node:fs";
import { access, readFile, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Check, fail, ok, warn } from "@elastic/std/check.ts";
import type { Logger } from "@elastic/std/log.ts";
import { type ArchiveLocation, describeLocation } from "../archive/location.ts";
import { openDatabase } from "../archive/sql/open-archive.ts";

const TIMEOUT_MS = 5000;

const MIB = 1024 * 1024;
/** The reserve is for so many of the largest inputs and results: with less than one of them no task is safe. */
const RESERVED = 100;

export interface BlobsOwner {
  /** What etcd knows; null where it is of no store yet. */
  readonly storeId: string | null;
  /** Whether a coordinator has served, which marks the directory. */
  readonly hasServed: boolean;
}

/** Changes nothing. */
export async function checkBlobs(dir: string, { storeId, hasServed }: BlobsOwner): Promise<Check> {
  try {
    await access(dir, constants.W_OK);
    const found = (await readFile(join(dir, "store-id"), "utf8")).trim();
    if (storeId === null) {
      return warn(
        "blobs",
        `${dir} is of store ${found}, and etcd of none yet`,
        "check that ELASTIC_ETCD is the right one",
      );
    }
    if (found === storeId) return ok("blobs", `${dir} is of this store`);
    const remedy = "set ELASTIC_BLOBS_DIR to the directory that all coordinators of this store share";
    return fail("blobs", `${dir} is of store ${found}, not of ${storeId}`, remedy);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (storeId === null || (!hasServed && code === "ENOENT")) {
      return ok("blobs", `${dir} is made, or marked as this store's, by the first coordinator`);
    }
    const remedy = "mount the directory that all coordinators share, and let this user write there (ELASTIC_BLOBS_DIR)";
    return fail("blobs", (error as Error).message, remedy);
  }
}

/** Nothing where it cannot be read, which the check of the directory says. */
export async function checkRoom(dir: string, reserveBytes: number): Promise<readonly Check[]> {
  const found = await statfs(dir).catch(() => null);
  return found === null ? [] : [judgeRoom(dir, found.bavail * found.bsize, reserveBytes)];
}

export function judgeRoom(dir: string, freeBytes: number, reserveBytes: number): Check {
  const finding = `${dir} has ${Math.floor(freeBytes / MIB)} MiB free`;
  const remedy = "make room on that disk, or enlarge it";
  if (freeBytes < reserveBytes / RESERVED) return fail("room", `${finding}: results of tasks are not stored`, remedy);
  if (freeBytes < reserveBytes) {
    const why = `of which ${Math.floor(reserveBytes / MIB)} MiB are reserved for tasks: uploads and files are rejected`;
    return warn("room", `${finding}, ${why}`, remedy);
  }
  return ok("room", finding);
}

/** Opens a database, and of a file looks only at its folder: opening would create it. */
export async function checkArchive(location: ArchiveLocation, log: Logger): Promise<Check> {
  const place = describeLocation(location);
  try {
    if (location.kind === "sqlite") {
      await access(dirname(location.file), constants.W_OK);
      return ok("archive", `${place}: its folder can be written`);
    }
    const database = await openDatabase(location, log);
    await database.read((transaction) => transaction.query("SELECT 1"));
    await database.close();
    return ok("archive", `${place} responds`);
  } catch (error) {
    return fail("archive", `${place}: ${(error as Error).message}`, "correct ELASTIC_ARCHIVE, or start the database");
  }
}

export async function checkRegistry(registry: { readonly host: string; readonly base: string }): Promise<Check> {
  try {
    const response = await fetch(`${registry.base}/v2/`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    if (response.ok || response.status === 401) return ok("registry", `${registry.host} responds`);
    throw new Error(`/v2/ is HTTP ${response.status}`);
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    return warn("registry", `${registry.host}: ${why}`, "start it, or correct ELASTIC_REGISTRY and ELASTIC_REGISTRIES");
  }
}
