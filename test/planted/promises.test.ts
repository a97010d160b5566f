/** docs/promises.md is true: every promise has a test that exists, and its planted bugs are those that there are. */
import { existsSync, readFileSync } from "node:fs";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { readPlantedBugs } from "./planted-bug.ts";

const COUNTS = { T: 14, C: 14, W: 6, S: 10 };

const rows = [
  ...readFileSync(inRepository("docs", "promises.md"), "utf8").matchAll(
    /^\| ([TCWS]\d+) \| (.+) \| `(.+)` \| (.+) \|$/gm,
  ),
].map(([, id = "", , file = "", bugs = ""]) => ({
  id,
  file,
  bugs: [...bugs.matchAll(/`(.+?)`/g)].map(([, name]) => name),
}));

test("lists every promise once", () => {
  const ids = Object.entries(COUNTS).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
  );
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

test("names a test for each that exists", () => {
  expect(rows.filter(({ file }) => !/\.test\.ts$/.test(file) || !existsSync(inRepository(file)))).toEqual([]);
});

test("names the planted bugs of each, and no others", () => {
  const planted = Map.groupBy(readPlantedBugs(), ({ promise }) => promise);
  expect([...planted.keys()].filter((promise) => !rows.some(({ id }) => id === promise))).toEqual([]);
  for (const { id, bugs } of rows) expect([id, bugs]).toEqual([id, (planted.get(id) ?? []).map(({ name }) => name)]);
});
