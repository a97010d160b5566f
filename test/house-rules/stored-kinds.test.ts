import { readFileSync } from "node:fs";
import { ALL_RECORD_KINDS } from "@elastic/coordinator/store/keys.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { storedKinds } from "./stored-kinds.ts";

const rows = storedKinds(readFileSync(inRepository("docs/stored-data.md"), "utf8"));

test("the table of what is stored has every kind of record, once, and no other", () => {
  expect(rows.map(({ kind }) => kind).sort()).toEqual([...ALL_RECORD_KINDS].sort());
});

test("each row of it has a bound, what removes the records, and when", () => {
  for (const { kind, cells } of rows) expect([kind, cells]).toEqual([kind, Array(3).fill(expect.stringMatching(/./))]);
});

test("finds the rows of records alone", () => {
  const document =
    "| `a` | 1 | x | y |\n## Records in etcd\n| Kind |\n|---|\n| `b-c` | 1 | x | y |\n## More\n| `d` | 1 | x | y |";
  expect(storedKinds(document)).toEqual([{ kind: "b-c", cells: ["1", "x", "y"] }]);
});
