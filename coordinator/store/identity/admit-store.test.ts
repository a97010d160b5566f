import { expect, test } from "vitest";
import { META_KEY } from "../keys.ts";
import { StoreChangedError } from "../kv.ts";
import { Memory } from "../memory/memory.ts";
import { type MemoryKv, memoryKv } from "../memory/memory-kv.ts";
import { admitStore } from "./admit-store.ts";
import type { KnownStore } from "./compare-store.ts";
import { metaOf, type StoreMeta } from "./meta.ts";

const KNOWN: KnownStore = { clusterId: "7", revision: 100, epoch: 1, blobStoreId: "b" };
const NOW = 1_800_000_000_000;

/** A store of cluster 7 with so many revisions, and with what a coordinator wrote into it unless it is null. */
async function storeAt(revision: number, meta: { readonly epoch: number; readonly blobStoreId: string } | null) {
  const memory = new Memory();
  const kv = memoryKv(memory);
  if (meta !== null) await put(kv, META_KEY, JSON.stringify({ ...meta, schemaVersion: 1 }));
  while (memory.revision < revision) await put(kv, "/elastic/v1/other", "x");
  return { kv, identity: { header: () => ({ clusterId: "7", revision: memory.revision }) } };
}

async function put(kv: MemoryKv, key: string, value: string): Promise<void> {
  await kv.txn({ compares: [], puts: [{ key, value: Buffer.from(value) }], deletes: [] });
}

async function readMeta(kv: MemoryKv): Promise<StoreMeta | null> {
  return metaOf((await kv.read([META_KEY])).entries[0]);
}

const clock = { now: () => NOW };
const INSTALLATION = { epoch: 1, blobStoreId: "b" };

test("admits the first store, and the known one with whatever was written since", async () => {
  const store = await storeAt(150, INSTALLATION);
  expect(await admitStore({ ...store, known: null, acceptAs: null, clock })).toBeNull();
  expect(await admitStore({ ...store, known: KNOWN, acceptAs: null, clock })).toBeNull();
});

test("rejects an older store, names how to accept it, and writes nothing", async () => {
  const store = await storeAt(60, INSTALLATION);
  const admitting = admitStore({ ...store, known: KNOWN, acceptAs: null, clock });
  await expect(admitting).rejects.toThrow(StoreChangedError);
  await expect(admitting).rejects.toThrow("--accept-store 2 (ELASTIC_ACCEPT_STORE=2)");
  expect((await store.kv.read([META_KEY])).revision).toBe(60);
});

test("raises the epoch of an older store that is accepted, at one coordinator for all", async () => {
  const store = await storeAt(60, INSTALLATION);
  expect(await admitStore({ ...store, known: KNOWN, acceptAs: 2, clock })).toMatchObject({ kind: "stepped back" });
  expect(await readMeta(store.kv)).toMatchObject({ ...INSTALLATION, epoch: 2, acceptedAt: NOW });
  expect(await admitStore({ ...store, known: KNOWN, acceptAs: null, clock })).toEqual({ kind: "accepted", epoch: 2 });
});

test("keeps the id of the blobs in an emptied store that is accepted", async () => {
  const store = await storeAt(3, null);
  await admitStore({ ...store, known: KNOWN, acceptAs: 2, clock });
  expect(await readMeta(store.kv)).toMatchObject({ epoch: 2, blobStoreId: "b" });
});

test("accepts nothing by an acceptance that is over", async () => {
  const store = await storeAt(60, { ...INSTALLATION, epoch: 2 });
  const admitting = admitStore({ ...store, known: { ...KNOWN, epoch: 2 }, acceptAs: 2, clock });
  await expect(admitting).rejects.toThrow("--accept-store 3");
});

test("accepts once where the response to the acceptance is lost", async () => {
  for (const lost of ["lost before it was applied", "lost after it was applied"] as const) {
    const store = await storeAt(60, INSTALLATION);
    store.kv.faults.lostAnswers.push(lost);
    await admitStore({ ...store, known: KNOWN, acceptAs: 2, clock });
    expect(await readMeta(store.kv)).toMatchObject({ epoch: 2 });
  }
});
