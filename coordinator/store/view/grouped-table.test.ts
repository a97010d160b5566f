import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { GroupedTable } from "./grouped-table.ts";

interface Leaf {
  readonly tree: string;
  readonly text: string;
}

test("records are found by their group, as they are now, and a group that is empty is forgotten", () => {
  const table = new GroupedTable<Leaf>(createLog({ name: "test", level: "silent" }), ({ tree }) => tree);
  const seen: number[] = [];
  table.subscribe(({ after, before }) => seen.push(table.countOf(after?.value.tree ?? before?.value.tree ?? "")));
  const texts = (tree: string) => [...table.of(tree)].map(({ value, revision }) => `${value.text}@${revision}`);
  table.put("1", { tree: "oak", text: "a" }, 1);
  table.put("2", { tree: "elm", text: "b" }, 2);
  table.put("3", { tree: "oak", text: "c" }, 3);
  table.put("1", { tree: "oak", text: "d" }, 4);
  expect(texts("oak")).toEqual(["d@4", "c@3"]);
  table.remove("1", 9);
  table.remove("1", 9);
  table.remove("2", 9);
  expect([texts("oak"), texts("elm"), table.countOf("oak"), table.countOf("elm")]).toEqual([["c@3"], [], 1, 0]);
  expect([...table.groups()]).toEqual(["oak"]);
  expect(seen).toEqual([1, 1, 2, 2, 1, 0]);
});
