/** What identifies a store: made by the first coordinator that opens it, and the same until an operator accepts a restored one. */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { pause } from "@elastic/std/pause.ts";
import { createOnce } from "../create-once.ts";
import { META_KEY } from "../keys.ts";
import { type Entry, type Kv, OutcomeUnknownError } from "../kv.ts";
import {
  PROGRAM_SCHEMA,
  type ProgramSchema,
  raisedBy,
  type SchemaVersions,
  type StoreSchema,
  whyOutgrown,
} from "../store-schema.ts";

/** So long after an acceptance nothing is swept: newer data of etcd may still be put back, which refer to what nothing refers to now. */
export const SWEPT_AFTER_ACCEPTANCE_MS = 24 * 3_600_000;

export interface StoreMeta {
  /** Raised when a restored store is accepted, so that no fencing token of before counts again. */
  readonly epoch: number;
  readonly blobStoreId: string;
  readonly schemaVersion: number;
  /** What a program must at least understand; left out where that is the version itself. */
  readonly schemaMinimum?: number;
  /** Of kinds of records beyond version 1; left out where there is none. */
  readonly kinds?: Readonly<Record<string, SchemaVersions>>;
  /** When it was accepted last; left out where it never was. */
  readonly acceptedAt?: Instant;
}

/** A later program has made it what this one does not understand. */
export class StoreOutgrownError extends Error {
  override readonly name = "StoreOutgrownError";
}

/** Coordinators that run learn of a raise by then, and stop: nothing is written before that they would misread. */
const RAISE_SETTLES_MS = 15_000;
const TRIES_MAX = 20;

/**
 * Rejects with StoreOutgrownError where the program does not understand the store, before anything is written. A program that
 * demands more of others than the store says raises it, and waits until they know.
 */
export async function readOrCreateMeta(
  kv: Pick<Kv, "read" | "txn">,
  clock: Pick<Clock, "now">,
  program: ProgramSchema = PROGRAM_SCHEMA,
  settlesMs = RAISE_SETTLES_MS,
): Promise<StoreMeta> {
  const fresh = { epoch: 1, blobStoreId: newId(clock.now()), ...fieldsOf(program) } satisfies StoreMeta;
  await createOnce(kv, META_KEY, Buffer.from(JSON.stringify(fresh)));
  for (let tries = 1; ; tries++) {
    const [entry = null] = (await kv.read([META_KEY])).entries;
    const meta = metaOf(entry);
    if (meta === null || entry === null) throw new OutcomeUnknownError(`${META_KEY} was removed`);
    refuseOutgrown(meta, program);
    const schema = schemaOfStore(meta);
    const raised = raisedBy(program, schema);
    if (raised === schema) return meta;
    if (tries === TRIES_MAX) throw new OutcomeUnknownError(`${META_KEY} changes too quickly`);
    const after: StoreMeta = { ...meta, ...fieldsOf(raised) };
    if (!(await replaceMeta(kv, entry, after))) continue;
    await pause(settlesMs, new AbortController().signal);
    return after;
  }
}

/** Throws StoreOutgrownError where this program must not work with it. */
export function refuseOutgrown(meta: SchemaFields, program: ProgramSchema = PROGRAM_SCHEMA): void {
  const why = whyOutgrown(schemaOfStore(meta), program);
  if (why !== null) throw new StoreOutgrownError(why);
}

/** What of it says which versions the store is of. */
type SchemaFields = Pick<StoreMeta, "schemaVersion"> & {
  readonly [F in "schemaMinimum" | "kinds"]?: StoreMeta[F] | undefined;
};

export function schemaOfStore({ schemaVersion, schemaMinimum, kinds }: SchemaFields): StoreSchema {
  return { version: schemaVersion, minimum: schemaMinimum ?? schemaVersion, kinds: kinds ?? {} };
}

/** These of it alone. */
export function schemaFieldsOf(of: SchemaFields): Pick<StoreMeta, "schemaVersion" | "schemaMinimum" | "kinds"> {
  return fieldsOf(schemaOfStore(of));
}

/** As 0.1.0 wrote them where nothing is beyond version 1. */
function fieldsOf({
  version,
  minimum,
  kinds,
}: StoreSchema): Pick<StoreMeta, "schemaVersion" | "schemaMinimum" | "kinds"> {
  return {
    schemaVersion: version,
    ...(minimum === version ? {} : { schemaMinimum: minimum }),
    ...(Object.keys(kinds).length === 0 ? {} : { kinds }),
  };
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
  return await replaceMeta(kv, found, {
    ...fieldsOf(before === null ? PROGRAM_SCHEMA : schemaOfStore(before)),
    epoch: accepted.epoch,
    blobStoreId: before?.blobStoreId ?? accepted.blobStoreId,
    acceptedAt: accepted.at,
  });
}

/** False where another coordinator was faster, or the response was lost. */
async function replaceMeta(kv: Pick<Kv, "txn">, found: Entry | null, meta: StoreMeta): Promise<boolean> {
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
  const { epoch, blobStoreId, schemaVersion, schemaMinimum, kinds, acceptedAt } = meta;
  if (typeof epoch !== "number" || typeof blobStoreId !== "string" || typeof schemaVersion !== "number") {
    throw new Error(`${META_KEY} does not hold a store's identity`);
  }
  return {
    epoch,
    blobStoreId,
    schemaVersion,
    ...(schemaMinimum === undefined ? {} : { schemaMinimum }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(acceptedAt === undefined ? {} : { acceptedAt }),
  };
}
