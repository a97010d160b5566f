import fc from "fast-check";
import { expect, test } from "vitest";
import { SortedIds } from "./sorted-ids.ts";

const ids = fc.array(
  fc.nat(3000).map((n) => String(n).padStart(4, "0")),
  { maxLength: 2000 },
);

test("it is a sorted set, whatever comes and goes in whatever order", () => {
  fc.assert(
    fc.property(ids, ids, fc.nat(50), fc.nat(3000), (added, deleted, offset, n) => {
      const sorted = new SortedIds();
      for (const id of added) sorted.add(id);
      for (const id of deleted) sorted.delete(id);
      const expected = [...new Set(added)].filter((id) => !deleted.includes(id)).sort();
      const from = String(n).padStart(4, "0");
      expect(sorted.size).toBe(expected.length);
      expect(sorted.newest(offset, 100)).toEqual(expected.toReversed().slice(offset, offset + 100));
      expect(sorted.countFrom(from)).toBe(expected.filter((id) => id >= from).length);
    }),
  );
});
