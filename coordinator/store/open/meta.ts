/** What identifies a store: made by the first coordinator that opens it, and the same for all after it. */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createOnce } from "../create-once.ts";
import { META_KEY } from "../keys.ts";
import type { Kv } from "../kv.ts";

/** How the keys and records are laid out. Raised by a change that older coordinators would misread. */
const SCHEMA_VERSION = 1;

export interface StoreMeta {
  /** Raised by a restore from backup, so that no fencing token of before counts again. */
  readonly epoch: number;
  readonly blobStoreId: string;
  readonly schemaVersion: number;
}

export async function readOrCreateMeta(kv: Kv, clock: Clock): Promise<StoreMeta> {
  const fresh: StoreMeta = { epoch: 1, blobStoreId: newId(clock.now()), schemaVersion: SCHEMA_VERSION };
  const meta = parseMeta(await createOnce(kv, META_KEY, Buffer.from(JSON.stringify(fresh))));
  if (meta.schemaVersion !== SCHEMA_VERSION) {
    throw new Error(`the store has schema version ${meta.schemaVersion}; this program knows ${SCHEMA_VERSION}`);
  }
  return meta;
}

function parseMeta(bytes: Buffer): StoreMeta {
  const meta = JSON.parse(bytes.toString("utf8")) as Partial<StoreMeta>;
  const { epoch, blobStoreId, schemaVersion } = meta;
  if (typeof epoch !== "number" || typeof blobStoreId !== "string" || typeof schemaVersion !== "number") {
    throw new Error(`${META_KEY} does not hold a store's identity`);
  }
  return { epoch, blobStoreId, schemaVersion };
}
