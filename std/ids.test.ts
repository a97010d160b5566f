import { expect, it } from "vitest";
import { isId, newId } from "./ids.ts";

it("makes ids of 32 lower-case hexadecimal characters that carry their version and variant", () => {
  const id = newId(Date.now());
  expect(isId(id)).toBe(true);
  expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
});

it("sorts ids by the time they were made at", () => {
  const times = [0, 1, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1];
  const ids = times.map((time) => newId(time));
  expect([...ids].sort()).toEqual(ids);
});

it("never makes an id twice, also across draws of randomness", () => {
  const ids = Array.from({ length: 5000 }, () => newId(1));
  expect(new Set(ids).size).toBe(ids.length);
});

it("is a pure function of the time and the random bytes it is given", () => {
  expect(newId(1, Buffer.alloc(10, 0xff))).toBe(`0000000000017fffbfff${"ff".repeat(6)}`);
});

it("takes nothing else for an id", () => {
  const bad = ["", "0".repeat(31), "0".repeat(33), "0".repeat(31).concat("G"), "A".repeat(32), `${"0".repeat(31)}٣`];
  for (const text of bad) expect(isId(text)).toBe(false);
});
