import { expect, test } from "vitest";
import { StoreFullError } from "./kv.ts";
import { memoryKv } from "./memory/memory-kv.ts";
import { StoreRoom } from "./store-room.ts";

const put = { compares: [], puts: [{ key: "/a", value: Buffer.from("1") }], deletes: [] };
const nothing = { compares: [], puts: [], deletes: ["/b"] };

test("a store that refuses a write for want of room is full until it takes one, or for a minute", async () => {
  const lines: string[] = [];
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const record = (_what: unknown, line?: string) => void lines.push(String(line ?? _what));
  const room = new StoreRoom({ clock, log: { error: record as never, info: record as never } });
  const memory = memoryKv();
  const kv = room.noting(memory);
  await kv.txn(put);
  expect(room.isFull()).toBe(false);

  memory.faults.full = true;
  await expect(kv.txn(put)).rejects.toThrow(StoreFullError);
  await expect(kv.txn(put)).rejects.toThrow(StoreFullError);
  await kv.txn(nothing);
  expect(room.isFull()).toBe(true);
  clock.nowMs = 60_000;
  expect(room.isFull()).toBe(false);

  await expect(kv.txn(put)).rejects.toThrow(StoreFullError);
  expect(room.isFull()).toBe(true);
  memory.faults.full = false;
  await kv.txn(put);
  expect(room.isFull()).toBe(false);
  expect(lines).toEqual([
    expect.stringContaining("the store is full"),
    expect.stringContaining("the store is full"),
    "the store accepts writes again",
  ]);
  await memory.close();
});
