/**
 * Which archive holds this store's history. The first coordinator says so, and no other archive is taken after it: a
 * task that moved to one would be missing to whoever reads the other.
 */
import { ARCHIVE_KEY } from "./keys.ts";
import { type Kv, OutcomeUnknownError } from "./kv.ts";

export interface ArchiveClaim {
  readonly id: string;
  readonly kind: "sqlite" | "postgres";
}

/** Returns the archive of the store: the given one, if it had none. */
export async function claimArchive(kv: Pick<Kv, "txn" | "read">, claim: ArchiveClaim): Promise<ArchiveClaim> {
  const put = { key: ARCHIVE_KEY, value: Buffer.from(JSON.stringify(claim)) };
  await kv.txn({ compares: [{ key: ARCHIVE_KEY, revision: 0 }], puts: [put], deletes: [] }).catch((error: unknown) => {
    // Whoever wrote it, and whether or not this was applied: what stands there now is read next.
    if (!(error instanceof OutcomeUnknownError)) throw error;
  });
  const found = await readArchiveClaim(kv);
  if (found === null) throw new OutcomeUnknownError("the archive of the store was not written");
  return found;
}

/** From now on this is the store's archive. No coordinator may be running. */
export async function replaceArchiveClaim(kv: Pick<Kv, "txn">, claim: ArchiveClaim): Promise<void> {
  const put = { key: ARCHIVE_KEY, value: Buffer.from(JSON.stringify(claim)) };
  await kv.txn({ compares: [], puts: [put], deletes: [] });
}

/** Null before the first coordinator. */
async function readArchiveClaim(kv: Pick<Kv, "read">): Promise<ArchiveClaim | null> {
  const { entries } = await kv.read([ARCHIVE_KEY]);
  const entry = entries[0] ?? null;
  if (entry === null) return null;
  const { id, kind } = JSON.parse(entry.value.toString("utf8")) as Partial<ArchiveClaim>;
  if (typeof id !== "string" || (kind !== "sqlite" && kind !== "postgres")) {
    throw new Error(`${ARCHIVE_KEY} does not name an archive`);
  }
  return { id, kind };
}
