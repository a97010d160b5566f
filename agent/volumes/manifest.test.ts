import { expect, test } from "vitest";
import { parseManifest } from "./manifest.ts";

const FILE = { path: "srs/k20.bin", sha256: "0".repeat(64), bytes: 3 };
const parse = (...files: readonly object[]) => parseManifest(JSON.stringify({ files }));

test("files are read with their paths, digests and sizes", () => {
  expect(parse(FILE, { ...FILE, path: "a" })).toEqual([FILE, { ...FILE, path: "a" }]);
});

test.each(["", "/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a/", "..", "a\0b", "x/".repeat(600), 7, null])(
  "a path that is %j is refused: it could lead out of the volume",
  (path) => {
    expect(() => parse({ ...FILE, path })).toThrow("not a path within a volume");
  },
);

test("whatever else is no list of files is refused", () => {
  for (const text of ["{", "null", "[]", '{"files":7}', '{"files":[]}', '{"files":[null]}', '{"files":[{}]}']) {
    expect(() => parseManifest(text), text).toThrow();
  }
  for (const wrong of [
    { sha256: "X".repeat(64) },
    { sha256: "../../x" },
    { bytes: -1 },
    { bytes: 1.5 },
    { bytes: "1" },
  ]) {
    expect(() => parse({ ...FILE, ...wrong })).toThrow();
  }
  expect(() => parse(FILE, FILE)).toThrow("twice");
  expect(() => parse(...Array.from({ length: 1001 }, (_, n) => ({ ...FILE, path: `${n}` })))).toThrow("1000 files");
});
