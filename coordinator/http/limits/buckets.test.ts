import { expect, test } from "vitest";
import { Buckets } from "./buckets.ts";

test("there are never more buckets than allowed, and one in use outlives those that are not", () => {
  const buckets = new Buckets(10);
  buckets.of("busy").writes = 1_000;
  for (let n = 0; n < 1_000; n++) buckets.of(`client-${n}`).reads = n / 10;
  expect(buckets.size).toBe(10);
  expect(buckets.of("busy").writes).toBe(1_000);
});

test("a bucket is the same until it is dropped, and a new one is full", () => {
  const buckets = new Buckets(1);
  const first = buckets.of("a");
  first.reads = 7;
  expect(buckets.of("a")).toBe(first);
  expect(buckets.of("b")).toEqual({ reads: 0, writes: 0 });
  expect(buckets.of("a")).toEqual({ reads: 0, writes: 0 });
});
