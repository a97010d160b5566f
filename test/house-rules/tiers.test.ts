import { expect, test } from "vitest";
import { TIER_NAMES, tierOf } from "../tiers.ts";
import { importsOf } from "./imports.ts";
import { sourceFiles, trackedPaths } from "./source-files.ts";
import { impureImports } from "./tiers.ts";
import { readWorkspaces } from "./workspaces.ts";

const { folders } = readWorkspaces();

test("every tier has files", () => {
  const tests = trackedPaths().filter((path) => path.endsWith(".test.ts"));
  const counts = new Map(TIER_NAMES.map((name) => [name, tests.filter((path) => tierOf(path) === name).length]));
  expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(tests.length);
  expect(counts.get("pure")).toBeGreaterThan(200);
  expect(counts.get("component")).toBeGreaterThan(150);
  expect(counts.get("system")).toBeGreaterThan(40);
  expect(counts.get("long")).toBeGreaterThan(4);
});

test("no pure test imports what starts a process or opens a socket", () => {
  const imports = importsOf(sourceFiles(), folders);
  expect(imports.filter(({ from }) => tierOf(from) === "pure").length).toBeGreaterThan(500);
  expect(impureImports(imports)).toEqual([]);
});

test.each([
  ["agent/a.test.ts", 'import { spawn } from "node:child_process";', 1],
  ["agent/a.test.ts", 'import { startEtcd } from "@elastic/test/cluster/etcd.ts";', 1],
  ["agent/a.test.ts", 'import { createServer } from "node:http";', 1],
  ["agent/a.test.ts", 'import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";', 0],
  ["agent/a.component.test.ts", 'import { spawn } from "node:child_process";', 0],
])("finds what %s may not import: %s", (path, text, found) => {
  expect(impureImports(importsOf([{ path, text }], folders))).toHaveLength(found);
});
