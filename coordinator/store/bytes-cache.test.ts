import { expect, test } from "vitest";
import { BytesCache } from "./bytes-cache.ts";

test("the least recently used goes when the bytes are full", () => {
  const cache = new BytesCache(3000);
  for (const key of ["a", "b"]) cache.set(key, Buffer.alloc(1000, key));
  expect(cache.get("a")).toBeDefined();
  cache.set("c", Buffer.alloc(1000));
  expect([cache.get("a"), cache.get("b"), cache.get("c")].map((data) => data?.length)).toEqual([1000, undefined, 1000]);
});

test("what is replaced counts once, and what is larger than the cache is not kept", () => {
  const cache = new BytesCache(3000);
  for (let i = 0; i < 10; i++) cache.set("a", Buffer.alloc(1000));
  cache.set("b", Buffer.alloc(1000));
  expect(cache.get("a")).toBeDefined();
  cache.set("large", Buffer.alloc(4000));
  expect(cache.get("large")).toBeUndefined();
});
