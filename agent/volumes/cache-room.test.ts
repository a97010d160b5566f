import fc from "fast-check";
import { expect, test } from "vitest";
import { type CacheContent, makeRoom, type Protected } from "./cache-room.ts";

const NOTHING: Protected = { trees: new Set(), files: new Set() };

/** Two volumes that share a file: old has a and b, new has b and c; d is of none. */
const CONTENT: CacheContent = {
  files: [..."abcd"].map((sha256) => ({ sha256, bytes: 10 })),
  partials: [{ sha256: "p", bytes: 5 }],
  trees: [
    { id: "new", usedAtMs: 2, sha256s: ["b", "c"] },
    { id: "old", usedAtMs: 1, sha256s: ["a", "b"] },
  ],
};

test("where there is room nothing goes", () => {
  expect(makeRoom(CONTENT, NOTHING, 45)).toEqual({ partials: [], trees: [], files: [] });
});

test("what was begun goes first, then what is of no volume, then volumes by their last use, less what others share", () => {
  expect(makeRoom(CONTENT, NOTHING, 40)).toEqual({ partials: ["p"], trees: [], files: [] });
  expect(makeRoom(CONTENT, NOTHING, 30)).toEqual({ partials: ["p"], trees: [], files: ["d"] });
  expect(makeRoom(CONTENT, NOTHING, 29)).toEqual({ partials: ["p"], trees: ["old"], files: ["a", "d"] });
  expect(makeRoom(CONTENT, NOTHING, 0)).toMatchObject({ trees: ["old", "new"], files: ["a", "b", "c", "d"] });
});

test("keeps what a workload has, however long ago it was requested", () => {
  expect(makeRoom(CONTENT, { ...NOTHING, trees: new Set(["old"]) }, 20)).toMatchObject({ trees: ["new"] });
  expect(makeRoom(CONTENT, { ...NOTHING, trees: new Set(["old"]) }, 19)).toBeNull();
});

test("what is needed for a volume in the making stays", () => {
  expect(makeRoom(CONTENT, { ...NOTHING, files: new Set(["d", "p"]) }, 15)).toMatchObject({ trees: ["old", "new"] });
  expect(makeRoom(CONTENT, { ...NOTHING, files: new Set(["d", "p"]) }, 14)).toBeNull();
});

test("evicts enough, and never what is needed", () => {
  const name = fc.constantFrom(..."abcdef");
  const tree = fc.record({ id: fc.constantFrom("t1", "t2", "t3"), usedAtMs: fc.nat(9), sha256s: fc.uniqueArray(name) });
  const sized = fc.record({ sha256: name, bytes: fc.nat(20) });
  const contents = fc.record({
    files: fc.uniqueArray(sized, { selector: ({ sha256 }) => sha256 }),
    partials: fc.uniqueArray(sized, { selector: ({ sha256 }) => sha256 }),
    trees: fc.uniqueArray(tree, { selector: ({ id }) => id }),
  });
  const kept = fc.record({ trees: fc.uniqueArray(fc.constantFrom("t1", "t2", "t3")), files: fc.uniqueArray(name) });
  fc.assert(
    fc.property(contents, kept, fc.nat(80), (content, given, bytesMax) => {
      const protection = { trees: new Set<string>(given.trees), files: new Set(given.files) };
      const eviction = makeRoom(content, protection, bytesMax);
      if (eviction === null) return;
      const left = [
        ...content.files.filter(({ sha256 }) => !eviction.files.includes(sha256)),
        ...content.partials.filter(({ sha256 }) => !eviction.partials.includes(sha256)),
      ];
      expect(left.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(bytesMax);
      for (const id of eviction.trees) expect(protection.trees.has(id)).toBe(false);
      for (const sha256 of [...eviction.files, ...eviction.partials]) expect(protection.files.has(sha256)).toBe(false);
      const staying = content.trees.filter(({ id }) => !eviction.trees.includes(id)).flatMap(({ sha256s }) => sha256s);
      for (const sha256 of eviction.files) expect(staying).not.toContain(sha256);
    }),
  );
});
