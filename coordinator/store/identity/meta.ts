/** What identifies a store: made by the first coordinator that opens it, and the same until an operator accepts a restored one. */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createOnce } from "../create-once.ts";
import { META_KEY } from "../keys.ts";
import { type Entry, type Kv, OutcomeUnknownError } from "../kv.ts";

/** How the keys and records are laid out. Raised by a change that older coordinators would misread. */
const SCHEMA_VERSION = 1;
/** So long after an acceptance nothing is swept: newer data of etcd may still be put back, which refer to what nothing refers to now. */
export const SWEPT_AFTER_ACCEPTANCE_MS = 24 * 3_600_000;

export interface StoreMeta {
  /** Raised when a restored store is accepted, so that no fencing token of before counts again. */
  readonly epoch: number;
  readonly blobStoreId: string;
  readonly schemaVersion: number;
  /** When it was accepted last; left out where it never was. */
  readonly acceptedAt?: Instant;
}

export async function readOrCreateMeta(kv: Kv, clock: Clock): Promise<StoreMeta> {
  const fresh: StoreMeta = { epoch: 1, blobStoreId: newId(clock.now()), schemaVersion: SCHEMA_VERSION };
  const meta = parseMeta(await createOnce(kv, META_KEY, Buffer.from(JSON.stringify(fresh))));
  if (meta.schemaVersion !== SCHEMA_VERSION) {
    throw new Error(`the store has schema version ${meta.schemaVersion}; this program knows ${SCHEMA_VERSION}`);
  }
  return meta;
}

/** Null where no coordinator has written it. */
export function metaOf(entry: Pick<Entry, "value"> | null | undefined): StoreMeta | null {
  return entry === null || entry === undefined ? null : parseMeta(entry.value);
}

/**
 * Makes what stands there the store of an operator's choice: raises its epoch, and keeps its blobs or, in one that was
 * emptied, those of before. False where another coordinator was faster, or the response was lost.
 */
export async function acceptAs(
  kv: Pick<Kv, "txn">,
  found: Entry | null,
  accepted: { readonly epoch: number; readonly blobStoreId: string; readonly at: Instant },
): Promise<boolean> {
  const before = metaOf(found);
  const meta: StoreMeta = {
    epoch: accepted.epoch,
    blobStoreId: before?.blobStoreId ?? accepted.blobStoreId,
    schemaVersion: before?.schemaVersion ?? SCHEMA_VERSION,
    acceptedAt: accepted.at,
  };
  const compares = [{ key: META_KEY, revision: found?.revision ?? 0 }];
  const puts = [{ key: META_KEY, value: Buffer.from(JSON.stringify(meta)) }];
  try {
    return (await kv.txn({ compares, puts, deletes: [] })).applied;
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return false;
    throw error;
  }
}

function parseMeta(bytes: Buffer): StoreMeta {
  const meta = JSON.parse(bytes.toString("utf8")) as Partial<StoreMeta>;
  const { epoch, blobStoreId, schemaVersion, acceptedAt } = meta;
  if (typeof epoch !== "number" || typeof blobStoreId !== "string" || typeof schemaVersion !== "number") {
    throw new Error(`${META_KEY} does not hold a store's identity`);
  }
  return { epoch, blobStoreId, schemaVersion, ...(acceptedAt === undefined ? {} : { acceptedAt }) };
}
