import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ArchivePaths, type PlannedEntry, SOURCE_LIMITS } from "./archive-paths.ts";

type Named = readonly [name: string, type?: string, bytes?: number];

function plan(entries: readonly Named[], strip = 0, limits = SOURCE_LIMITS): (PlannedEntry | null)[] {
  const paths = new ArchivePaths(limits, strip);
  return entries.map(([name, type = "file", bytes = 0]) => paths.plan({ name, type, bytes }));
}

test("plans files, directories and symbolic links at their paths", () => {
  expect(plan([["./a/", "directory"], ["./a/b"], ["c/d"], ["l", "symlink"], ["./", "directory"]])).toEqual([
    { path: "a", kind: "directory" },
    { path: "a/b", kind: "file" },
    { path: "c/d", kind: "file" },
    { path: "l", kind: "symlink" },
    null,
  ]);
});

test("strips leading directories", () => {
  expect(plan([["repo-abc/", "directory"], ["repo-abc/src/x"]], 1)).toEqual([null, { path: "src/x", kind: "file" }]);
});

test.each<[readonly Named[], string]>([
  [[["../x"]], "leads out"],
  [[["a/../../x"]], "leads out"],
  [[["/etc/passwd"]], "absolute"],
  [[["a"], ["a"]], "twice"],
  [[["a"], ["./a"]], "twice"],
  [[["a", "symlink"], ["a/b"]], "is a symlink"],
  [[["a"], ["a/b"]], "is a file"],
  [
    [
      ["a", "symlink"],
      ["a", "directory"],
    ],
    "twice",
  ],
  [[["a/b"], ["a", "symlink"]], "twice"],
  [[["x", "link"]], "is a link"],
  [[["x", "block-device"]], "block-device"],
  [[["x", "fifo"]], "fifo"],
  [[["a\u0000b"]], "not a printable path"],
  [[["a\nb"]], "not a printable path"],
  [[["x".repeat(300)]], "too long"],
  [[["x/".repeat(600)]], "1024 characters"],
])("rejects %j", (entries, words) => {
  expect(() => plan(entries)).toThrow(words);
});

test("rejects more entries or bytes than the limits, whatever they are", () => {
  expect(() => plan([["a"], ["b"]], 0, { entries: 1, bytes: 10 })).toThrow("1 entries");
  expect(() =>
    plan(
      [
        ["a", "file", 6],
        ["b", "file", 6],
      ],
      0,
      { entries: 9, bytes: 10 },
    ),
  ).toThrow("10 bytes");
});

test("plans no path twice, none out of the folder and none below what is no directory", () => {
  const component = fc.constantFrom("a", "b", "..", ".", "", "/", "c");
  const name = fc.array(component, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const entry = fc.tuple(name, fc.constantFrom("file", "directory", "symlink"));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
      let planned: (PlannedEntry | null)[];
      try {
        planned = plan(entries);
      } catch {
        return;
      }
      const made = planned.filter((each) => each !== null);
      const others = new Set(made.filter(({ kind }) => kind !== "directory").map(({ path }) => path));
      expect(new Set(made.map(({ path }) => path)).size).toBe(made.length);
      for (const { path } of made) {
        expect(posix.normalize(path)).toBe(path);
        expect(path.startsWith("/") || path.startsWith("..")).toBe(false);
        for (let at = posix.dirname(path); at !== "."; at = posix.dirname(at)) expect(others.has(at)).toBe(false);
      }
    }),
  );
});
