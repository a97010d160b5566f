import { beforeEach, expect, test } from "vitest";
import { DOWNLOADS_MAX, DOWNLOADS_OF_SOURCE_MAX, DownloadSlots } from "./download-slots.ts";

const MIB = 2 ** 20;

let now: number;
let slots: DownloadSlots;
let dropped: string[];
beforeEach(() => {
  now = 0;
  dropped = [];
  slots = new DownloadSlots({ monotonicMs: () => now });
});

function claim(source: string) {
  return slots.claim(source, () => void dropped.push(source));
}

function claimed(count: number, source: string) {
  return Array.from({ length: count }, () => {
    const slot = claim(source);
    if (slot === null) throw new Error(`no room for ${source}`);
    return slot;
  });
}

test("gives one address a share, and the others the rest", () => {
  claimed(DOWNLOADS_OF_SOURCE_MAX, "a");
  expect(claim("a")).toBeNull();
  const others = claimed(DOWNLOADS_MAX - DOWNLOADS_OF_SOURCE_MAX, "b");
  expect(claim("c")).toBeNull();
  others[0]?.release();
  expect(claim("c")).not.toBeNull();
  expect(dropped).toEqual([]);
});

test("has the slowest download give way where it is slow, and none that is not", () => {
  const all = [...claimed(DOWNLOADS_OF_SOURCE_MAX, "a"), ...claimed(DOWNLOADS_MAX - DOWNLOADS_OF_SOURCE_MAX, "b")];
  // What buffers on the way take at once.
  for (const slot of all) slot.moved(2 * MIB);
  now = 4_000;
  expect(claim("c")).toBeNull();
  for (; now <= 20_000; now += 1_000) for (const slot of all.slice(0, -1)) slot.moved(MIB);
  expect(claim("c")).not.toBeNull();
  expect(dropped).toEqual(["b"]);
  expect(claim("c")).toBeNull();
  expect(dropped).toEqual(["b"]);
});

test("has a download that stopped give way to another of the same address", () => {
  const [first] = claimed(DOWNLOADS_OF_SOURCE_MAX, "a");
  first?.moved(8 * MIB);
  now = 6_000;
  expect(claim("a")).not.toBeNull();
  expect(dropped).toEqual(["a"]);
  now = 60_000;
  first?.moved(1);
  for (let count = 0; count < DOWNLOADS_OF_SOURCE_MAX; count++) expect(claim("a")).not.toBeNull();
  expect(claim("a")).toBeNull();
});
