import { expect, test } from "vitest";
import { BytesCache } from "./bytes-cache.ts";

const cacheOf = (bytesMax: number) => new BytesCache({ awaitedBytesMax: bytesMax, recentBytesMax: bytesMax });

test("the least recently used goes when the bytes are full", () => {
  const cache = cacheOf(3000);
  for (const key of ["a", "b"]) cache.set(key, Buffer.alloc(1000, key));
  expect(cache.get("a")).toBeDefined();
  cache.set("c", Buffer.alloc(1000));
  expect([cache.get("a"), cache.get("b"), cache.get("c")].map((data) => data?.length)).toEqual([1000, undefined, 1000]);
});

test("counts what is replaced once, and does not cache what is larger than the cache", () => {
  const cache = cacheOf(3000);
  for (let i = 0; i < 10; i++) cache.set("a", Buffer.alloc(1000));
  cache.set("b", Buffer.alloc(1000));
  expect(cache.get("a")).toBeDefined();
  cache.set("large", Buffer.alloc(4000));
  expect(cache.get("large")).toBeUndefined();
});

test("caches a few bytes of a large body without the body", () => {
  const body = Buffer.alloc(1 << 20, "x");
  const cache = cacheOf(8000);
  cache.set("a", body.subarray(100, 2100));
  cache.setAwaited("b", body.subarray(100, 2100));
  for (const key of ["a", "b"]) {
    const kept = cache.get(key);
    expect(kept?.toString()).toBe("x".repeat(2000));
    expect(kept?.buffer.byteLength).toBe(2000);
  }
});

test("returns few bytes as they were, whichever they are and whatever becomes of their buffer", () => {
  const cache = cacheOf(3000);
  const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const given = Buffer.from(every);
  cache.set("a", given);
  cache.setAwaited("b", given);
  given.fill(0);
  expect(["a", "b"].map((key) => cache.get(key))).toEqual([every, every]);
});

test("caches what fills its memory as it is", () => {
  const cache = cacheOf(3000);
  const data = Buffer.alloc(2000);
  cache.set("a", data);
  expect(cache.get("a")).toBe(data);
});

test("retains the inputs that are awaited longest, which are needed first, whatever comes later", () => {
  const cache = cacheOf(3000);
  for (const key of ["a", "b", "c", "d"]) cache.setAwaited(key, Buffer.alloc(1000, key));
  for (let i = 0; i < 10; i++) cache.set(`result-${i}`, Buffer.alloc(1000));
  expect(["a", "b", "c", "d"].map((key) => cache.get(key)?.toString()[0])).toEqual(["a", "b", undefined, undefined]);
});

test("has room for another awaited input once one is released or deleted, or set again", () => {
  const cache = cacheOf(2500);
  for (const key of ["a", "b"]) cache.setAwaited(key, Buffer.alloc(1000));
  cache.setAwaited("b", Buffer.alloc(1000));
  cache.release("a");
  expect(cache.get("a")).toBeDefined();
  cache.setAwaited("c", Buffer.alloc(1000));
  cache.delete("b");
  cache.setAwaited("d", Buffer.alloc(1000));
  expect(["b", "c", "d"].map((key) => cache.get(key)?.length)).toEqual([undefined, 1000, 1000]);
  // Neither is counted now: it is as if nothing had been there.
  for (const key of ["c", "d"]) cache.delete(key);
  for (const key of ["e", "f"]) cache.setAwaited(key, Buffer.alloc(1000));
  expect(["e", "f"].map((key) => cache.get(key)?.length)).toEqual([1000, 1000]);
});
