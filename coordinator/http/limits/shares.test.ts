import { expect, test } from "vitest";
import { type Holder, Shares } from "./shares.ts";

function holder(keyId: string, userId: string, teamId: string): Holder {
  return { key: { id: keyId, userId }, teamId };
}

/** How many of 100 takings find room, each by its own. */
function found(shares: Shares, of: (at: number) => Holder): number {
  return Array.from({ length: 100 }, (_, at) => shares.take(of(at))).filter(Boolean).length;
}

test("a team gets a quarter, whatever number of keys and users it has", () => {
  const shares = new Shares({ max: 64 });
  expect(found(shares, (at) => holder(`k${at}`, `u${at}`, "team"))).toBe(16);
});

test("a user gets a quarter, whatever number of keys and teams", () => {
  const shares = new Shares({ max: 64 });
  expect(found(shares, (at) => holder(`k${at}`, "user", `t${at}`))).toBe(16);
});

test("a key gets what keys may have, and another key of the team its own", () => {
  const shares = new Shares({ max: 64, keyMax: 8 });
  expect(found(shares, () => holder("a", "user", "team"))).toBe(8);
  expect(found(shares, () => holder("b", "user", "team"))).toBe(8);
});

test("all together get no more than there is, and what was released is available again", () => {
  const shares = new Shares({ max: 64 });
  expect(found(shares, (at) => holder(`k${at}`, `u${at}`, `t${at}`))).toBe(64);
  expect(shares.take(holder("k", "u", "t"))).toBe(false);
  shares.give(holder("k3", "u3", "t3"));
  expect([shares.taken, shares.take(holder("k", "u", "t")), shares.taken]).toEqual([63, true, 64]);
});

test("acquires more than one at a time completely or not at all", () => {
  const shares = new Shares({ max: 400 });
  const own = holder("k", "u", "t");
  expect([shares.take(own, 90), shares.take(own, 11), shares.take(own, 10), shares.taken]).toEqual([
    true,
    false,
    true,
    100,
  ]);
});
