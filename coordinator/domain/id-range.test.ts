import { isId, newId } from "@elastic/std/ids.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type IdBounds, idRangeOf } from "./id-range.ts";

const TIME = 1_700_000_000_000;

function isIn(id: string, bounds: IdBounds): boolean {
  const { from, below } = idRangeOf(bounds);
  return (from === null || id >= from) && (below === null || id < below);
}

test("contains the ids of a time and no others", () => {
  for (const [createdAt, isWithin] of [
    [TIME - 1, false],
    [TIME, true],
    [TIME + 9, true],
    [TIME + 10, false],
  ] as const)
    expect(isIn(newId(createdAt), { createdFrom: TIME, createdBefore: TIME + 10 })).toBe(isWithin);
});

test("contains the ids with the prefix that are within the time", () => {
  const instant = fc.integer({ min: TIME - 5, max: TIME + 5 });
  fc.assert(
    fc.property(instant, instant, fc.integer({ min: 8, max: 32 }), instant, (at, other, digits, createdBefore) => {
      const [id, idPrefix] = [newId(at), newId(other).slice(0, digits)];
      expect(isIn(id, { idPrefix, createdBefore })).toBe(id.startsWith(idPrefix) && at < createdBefore);
      expect(isIn(id, { idPrefix: id.slice(0, digits), createdFrom: at })).toBe(true);
    }),
  );
});

test("has no upper bound where no id is greater", () => {
  expect(idRangeOf({ idPrefix: "ffffffff" })).toEqual({ from: "ffffffff".padEnd(32, "0"), below: null });
  const { from, below } = idRangeOf({ idPrefix: "00000000" });
  expect([isId(from ?? ""), below]).toEqual([true, "00000001".padEnd(32, "0")]);
});
