import fc from "fast-check";
import { expect, test } from "vitest";
import { IdMap } from "./id-map.ts";
import { newId } from "./ids.ts";

const IDS = ["", "a", "ab", "node-7", "ÿ", "\u{1f600}", ...Array.from({ length: 30 }, (_, n) => newId(n))];

test("holds what a Map holds, whatever comes and goes", () => {
  const step = fc.record({ id: fc.constantFrom(...IDS), value: fc.option(fc.nat(), { nil: null }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const map = new IdMap<number>();
      const model = new Map<string, number>();
      for (const { id, value } of steps) {
        if (value === null) expect(map.delete(id)).toBe(model.delete(id));
        else map.set(id, value);
        if (value !== null) model.set(id, value);
      }
      expect(new Map(IDS.map((id) => [id, map.get(id)]))).toEqual(new Map(IDS.map((id) => [id, model.get(id)])));
      expect([map.size, [...map.keys()].sort(), [...map.values()].sort()]).toEqual([
        model.size,
        [...model.keys()].sort(),
        [...model.values()].sort(),
      ]);
      expect(IDS.filter((id) => map.has(id))).toEqual(IDS.filter((id) => model.has(id)));
      map.clear();
      expect([map.size, [...map.keys()]]).toEqual([0, []]);
    }),
  );
});

test("what is there from the beginning to the end of a walk comes once, whatever changes meanwhile", () => {
  const map = new IdMap<number>();
  const stays = Array.from({ length: 2_000 }, (_, n) => newId(n));
  for (const [n, id] of stays.entries()) map.set(id, n);
  const seen: number[] = [];
  for (const value of map.values()) {
    const passing = newId(5_000 + seen.length);
    map.set(passing, -1);
    if (seen.length % 2 === 0) map.delete(passing);
    if (value >= 0) seen.push(value);
  }
  expect(seen.toSorted((a, b) => a - b)).toEqual(stays.map((_, n) => n));
});
