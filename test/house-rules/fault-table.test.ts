import { existsSync, readFileSync } from "node:fs";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { listedScenarios, ONE_FAULT, SEVERAL_FAULTS } from "./fault-table.ts";
import { trackedPaths } from "./source-files.ts";

const ONE_FAULT_MIN = 34;

const document = readFileSync(inRepository("docs", "faults.md"), "utf8");
const one = listedScenarios(document, ONE_FAULT);
const listed = [...one, ...listedScenarios(document, SEVERAL_FAULTS)];

test("the table of faults lists files that exist, each once", () => {
  expect(listed.filter((path) => !existsSync(inRepository(path)))).toEqual([]);
  expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted());
});

test("every file of test/faults is in the table", () => {
  const files = trackedPaths().filter((path) => path.startsWith("test/faults/"));
  expect(files.filter((path) => !listed.includes(path))).toEqual([]);
});

test("at least 34 scenarios have one fault", () => {
  expect(one.length).toBeGreaterThanOrEqual(ONE_FAULT_MIN);
});

test("finds the rows under a heading alone", () => {
  const rows = "| agent | `kill` | `test/faults/a-b.test.ts` | x |\n| etcd | full | `test/long/c.test.ts` | y |";
  const text = `\n## One fault\n\n${rows}\n\n## Several faults\n\n| all | \`test/system/d.test.ts\` |\n`;
  expect(listedScenarios(text, ONE_FAULT)).toEqual(["test/faults/a-b.test.ts", "test/long/c.test.ts"]);
  expect(listedScenarios(text, SEVERAL_FAULTS)).toEqual(["test/system/d.test.ts"]);
});
