import fc from "fast-check";
import { expect, test } from "vitest";
import { type Epochs, leaderEpoch } from "./leader-epoch.ts";

const of = (storeEpoch: bigint, leaderEpoch: bigint): Epochs => ({ storeEpoch, leaderEpoch });

test("admits commands of the newest leader only, and its sets in their order", () => {
  const epoch = leaderEpoch();
  expect(epoch.admits(of(1n, 3n))).toBe(true);
  expect(epoch.admits(of(1n, 2n))).toBe(false);
  expect(epoch.admitsSet({ ...of(1n, 3n), generation: 5n })).toBe(true);
  expect(epoch.admitsSet({ ...of(1n, 3n), generation: 5n })).toBe(true);
  expect(epoch.admitsSet({ ...of(1n, 3n), generation: 4n })).toBe(false);
  expect(epoch.admitsSet({ ...of(1n, 4n), generation: 1n })).toBe(true);
  expect(epoch.admits(of(1n, 3n))).toBe(false);
});

test("admits a lower leader epoch of a store that was accepted, and none of the store before", () => {
  const epoch = leaderEpoch();
  expect(epoch.admitsSet({ ...of(1n, 900n), generation: 7n })).toBe(true);
  expect(epoch.admitsSet({ ...of(2n, 5n), generation: 1n })).toBe(true);
  expect(epoch.admits(of(1n, 901n))).toBe(false);
  expect(epoch.admits(of(2n, 4n))).toBe(false);
  expect(epoch.admits(of(2n, 6n))).toBe(true);
});

test("compares the leader epoch alone where a coordinator sends no store epoch", () => {
  const epoch = leaderEpoch();
  expect(epoch.admits(of(0n, 3n))).toBe(true);
  expect(epoch.admits(of(1n, 3n))).toBe(true);
  expect(epoch.admits(of(0n, 4n))).toBe(true);
  expect(epoch.admits(of(0n, 3n))).toBe(false);
});

test("never admits what is lower, by store epoch and then leader epoch, than what it admitted", () => {
  const epochs = fc.record({ storeEpoch: fc.bigInt(1n, 3n), leaderEpoch: fc.bigInt(1n, 5n) });
  fc.assert(
    fc.property(fc.array(epochs), (all) => {
      const epoch = leaderEpoch();
      const rank = ({ storeEpoch, leaderEpoch }: Epochs) => 10n * storeEpoch + leaderEpoch;
      let highest = 0n;
      for (const one of all) {
        expect(epoch.admits(one)).toBe(rank(one) >= highest);
        if (rank(one) > highest) highest = rank(one);
      }
    }),
  );
});
