import { expect, test } from "vitest";
import { BytesCache } from "./bytes-cache.ts";

test("the least recently used goes when the bytes are full", () => {
  const cache = new BytesCache(3000);
  for (const key of ["a", "b"]) cache.set(key, Buffer.alloc(1000, key));
  expect(cache.get("a")).toBeDefined();
  cache.set("c", Buffer.alloc(1000));
  expect([cache.get("a"), cache.get("b"), cache.get("c")].map((data) => data?.length)).toEqual([1000, undefined, 1000]);
});

test("counts what is replaced once, and does not cache what is larger than the cache", () => {
  const cache = new BytesCache(3000);
  for (let i = 0; i < 10; i++) cache.set("a", Buffer.alloc(1000));
  cache.set("b", Buffer.alloc(1000));
  expect(cache.get("a")).toBeDefined();
  cache.set("large", Buffer.alloc(4000));
  expect(cache.get("large")).toBeUndefined();
});

test("caches a few bytes of a large body without the body", () => {
  const cache = new BytesCache(3000);
  const body = Buffer.alloc(1 << 20, "x");
  cache.set("a", body.subarray(100, 110));
  const kept = cache.get("a");
  expect(kept?.toString()).toBe("xxxxxxxxxx");
  expect(kept?.buffer.byteLength).toBe(10);
});

test("caches what fills its memory as it is", () => {
  const cache = new BytesCache(3000);
  const data = Buffer.alloc(1000);
  cache.set("a", data);
  expect(cache.get("a")).toBe(data);
});
