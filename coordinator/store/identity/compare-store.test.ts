import { expect, test } from "vitest";
import { compareStore, epochAfter, type FoundStore, type KnownStore } from "./compare-store.ts";

const KNOWN: KnownStore = { clusterId: "7", revision: 100, epoch: 2, blobStoreId: "b" };
const found = (given: Partial<FoundStore>): FoundStore => ({
  clusterId: "7",
  revision: 100,
  installation: { epoch: 2, blobStoreId: "b" },
  ...given,
});

test.each([
  ["the same", {}, null],
  ["the same, written to since", { revision: 170 }, null],
  ["an older copy", { revision: 40 }, { kind: "stepped back", from: 100, to: 40 }],
  ["an emptied one", { revision: 1, installation: null }, { kind: "stepped back", from: 100, to: 1 }],
  ["an emptied one that grew past it", { revision: 300, installation: null }, { kind: "other content" }],
  [
    "one that was filled again",
    { revision: 300, installation: { epoch: 1, blobStoreId: "c" } },
    { kind: "other content" },
  ],
  [
    "a copy from before an acceptance that grew past it",
    { revision: 300, installation: { epoch: 1, blobStoreId: "b" } },
    { kind: "other content" },
  ],
  ["another cluster", { clusterId: "8", revision: 900 }, { kind: "other cluster", from: "7", to: "8" }],
  [
    "an older copy that was accepted elsewhere",
    { revision: 40, installation: { epoch: 3, blobStoreId: "b" } },
    { kind: "accepted", epoch: 3 },
  ],
  [
    "another installation's, whatever its epoch",
    { revision: 40, installation: { epoch: 9, blobStoreId: "c" } },
    { kind: "stepped back", from: 100, to: 40 },
  ],
] as const)("recognizes %s", (_what, given, change) => {
  expect(compareStore(KNOWN, found(given))).toEqual(change);
});

test("raises the epoch of an accepted store above what is known and what is there", () => {
  expect(epochAfter(KNOWN, null)).toBe(3);
  expect(epochAfter(KNOWN, { epoch: 5, blobStoreId: "c" })).toBe(6);
});
