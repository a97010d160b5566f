import { expect, test } from "vitest";
import { contactListOf, decodeContactList, saysTheSame } from "./contact-list.ts";

const NOW_MS = 100_000;

function listOf(...agoMs: readonly number[]) {
  return contactListOf(
    agoMs.map((ago, n) => [`node-${n}`, NOW_MS - ago] as const),
    NOW_MS,
  );
}

test("lists nodes that were seen within two heartbeats, and how long ago those that fell silent were", () => {
  expect(listOf(0, 5_999, 6_000, 59_999, 60_000)).toEqual({
    nodes: ["node-0", "node-1"],
    unseen: { "node-2": 6_000, "node-3": 59_999 },
  });
});

test("is news where a node comes or goes, and not where time passes for one that is silent", () => {
  const before = listOf(0, 10_000);
  expect(saysTheSame(before, listOf(3_000, 20_000))).toBe(true);
  expect(saysTheSame(before, listOf(0, 0))).toBe(false);
  expect(saysTheSame(before, listOf(10_000, 0))).toBe(false);
});

test("rejects what is no list", () => {
  expect(decodeContactList(Buffer.from(JSON.stringify(listOf(0))))).toEqual(listOf(0));
  for (const text of ["", "[]", '{"nodes":["a"]}']) expect(decodeContactList(Buffer.from(text))).toBeNull();
});
