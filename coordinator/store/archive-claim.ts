/**
 * Which archive holds this store's history. The first coordinator says so, and no other archive is taken after it: a
 * task that moved to one would be missing to whoever reads the other.
 */
import { createOnce } from "./create-once.ts";
import { ARCHIVE_KEY } from "./keys.ts";
import type { Kv } from "./kv.ts";

export interface ArchiveClaim {
  readonly id: string;
  readonly kind: "sqlite" | "postgres";
}

/** Returns the archive of the store: the given one, if it had none. */
export async function claimArchive(kv: Pick<Kv, "txn" | "read">, claim: ArchiveClaim): Promise<ArchiveClaim> {
  return parse(await createOnce(kv, ARCHIVE_KEY, Buffer.from(JSON.stringify(claim))));
}

/** Null before the first coordinator. */
export async function readArchiveClaim(kv: Pick<Kv, "read">): Promise<ArchiveClaim | null> {
  const [entry] = (await kv.read([ARCHIVE_KEY])).entries;
  return entry === null || entry === undefined ? null : parse(entry.value);
}

/** From now on this is the store's archive. No coordinator may be running. */
export async function replaceArchiveClaim(kv: Pick<Kv, "txn">, claim: ArchiveClaim): Promise<void> {
  const put = { key: ARCHIVE_KEY, value: Buffer.from(JSON.stringify(claim)) };
  await kv.txn({ compares: [], puts: [put], deletes: [] });
}

function parse(bytes: Buffer): ArchiveClaim {
  const { id, kind } = JSON.parse(bytes.toString("utf8")) as Partial<ArchiveClaim>;
  if (typeof id !== "string" || (kind !== "sqlite" && kind !== "postgres")) {
    throw new Error(`${ARCHIVE_KEY} does not name an archive`);
  }
  return { id, kind };
}
