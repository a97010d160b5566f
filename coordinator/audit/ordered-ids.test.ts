import { isId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import { orderedIds } from "./ordered-ids.ts";

test("sorts ids as they were made, within a millisecond and while the clock steps back", () => {
  const next = orderedIds();
  const times = [...Array.from({ length: 10_000 }, () => 1_800_000_000_000), 1_799_999_999_000, 1_800_000_000_001];
  const ids = times.map(next);
  expect(ids.every(isId)).toBe(true);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test("begins an id with the time that it was made at", () => {
  const next = orderedIds();
  expect([1, 0x123456789abc].map((now) => Number.parseInt(next(now).slice(0, 12), 16))).toEqual([1, 0x123456789abc]);
});
