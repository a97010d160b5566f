import { expect, test } from "vitest";
import { META_KEY } from "../keys.ts";
import { Memory } from "../memory/memory.ts";
import { type MemoryKv, memoryKv } from "../memory/memory-kv.ts";
import { acceptAs, metaOf, readOrCreateMeta, StoreOutgrownError } from "./meta.ts";

const clock = { now: () => 1_800_000_000_000 };
const AT_ONCE = 0;
/** Of the first write into a store in memory. */
const FIRST_REVISION = 2;
const LATER = { version: 2, minimum: 2, kinds: { tasks: { version: 2, minimum: 1 } } };

async function storeOf(meta: object): Promise<MemoryKv> {
  const kv = memoryKv(new Memory());
  const puts = [{ key: META_KEY, value: Buffer.from(JSON.stringify({ epoch: 3, blobStoreId: "b", ...meta })) }];
  await kv.txn({ compares: [], puts, deletes: [] });
  return kv;
}

const entryOf = async (kv: MemoryKv) => (await kv.read([META_KEY])).entries[0] ?? null;

test("a new store says what the first release wrote", async () => {
  const kv = memoryKv(new Memory());
  const meta = await readOrCreateMeta(kv, clock);
  expect(JSON.parse(String((await entryOf(kv))?.value))).toEqual({
    epoch: 1,
    blobStoreId: meta.blobStoreId,
    schemaVersion: 1,
  });
});

test("does not open a store that takes later programs alone, and writes nothing into it", async () => {
  const kv = await storeOf({ schemaVersion: 2 });
  await expect(readOrCreateMeta(kv, clock)).rejects.toThrow(StoreOutgrownError);
  expect((await entryOf(kv))?.revision).toBe(FIRST_REVISION);
});

test("opens a store of a later version that takes this program too, and leaves what it says", async () => {
  const kv = await storeOf({ schemaVersion: 2, schemaMinimum: 1, kinds: { tasks: { version: 2, minimum: 1 } } });
  await readOrCreateMeta(kv, clock);
  expect((await entryOf(kv))?.revision).toBe(FIRST_REVISION);
});

test("a later program raises what the store says, once, and this one no longer opens it", async () => {
  const kv = await storeOf({ schemaVersion: 1, acceptedAt: 5 });
  expect(await readOrCreateMeta(kv, clock, LATER, AT_ONCE)).toEqual({
    epoch: 3,
    blobStoreId: "b",
    schemaVersion: 2,
    kinds: LATER.kinds,
    acceptedAt: 5,
  });
  await readOrCreateMeta(kv, clock, LATER, AT_ONCE);
  expect((await entryOf(kv))?.revision).toBe(FIRST_REVISION + 1);
  await expect(readOrCreateMeta(kv, clock)).rejects.toThrow(/takes programs that know 2, and this one knows 1/);
});

test("an operator's acceptance leaves what the store demands of programs", async () => {
  const kv = await storeOf({ schemaVersion: 2, schemaMinimum: 1, kinds: LATER.kinds });
  expect(await acceptAs(kv, await entryOf(kv), { epoch: 4, blobStoreId: "b", at: 9 })).toBe(true);
  expect(metaOf(await entryOf(kv))).toEqual({
    epoch: 4,
    blobStoreId: "b",
    schemaVersion: 2,
    schemaMinimum: 1,
    kinds: LATER.kinds,
    acceptedAt: 9,
  });
});
