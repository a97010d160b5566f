import { expect, test } from "vitest";
import { affectedBy } from "./affected.ts";

const FILES = [
  { path: "std/ids.ts", text: "" },
  { path: "coordinator/main.ts", text: 'import { serve } from "./serve.ts";' },
  { path: "coordinator/serve.ts", text: 'import { newId } from "@elastic/std/ids.ts";' },
  {
    path: "coordinator/main.component.test.ts",
    text: 'const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));',
  },
  { path: "deploy/local/coordinator.ts", text: 'const MAIN = inRepository("coordinator", "main.ts");' },
  { path: "agent/a.component.test.ts", text: 'import { start } from "@elastic/deploy/local/coordinator.ts";' },
  { path: "cli/b.component.test.ts", text: 'import { help } from "./help.ts";' },
];
const WORKSPACES = new Map([
  ["@elastic/std", "std"],
  ["@elastic/deploy", "deploy"],
]);
const affected = (...changed: readonly string[]) => [...affectedBy(changed, FILES, WORKSPACES)].sort();

test("follows imports, and programs that a file starts, to all that uses a changed file", () => {
  expect(affected("std/ids.ts")).toEqual([
    "agent/a.component.test.ts",
    "coordinator/main.component.test.ts",
    "coordinator/main.ts",
    "coordinator/serve.ts",
    "deploy/local/coordinator.ts",
    "std/ids.ts",
  ]);
});

test("leaves out what does not use it", () => {
  expect(affected("cli/help.ts")).toEqual(["cli/b.component.test.ts", "cli/help.ts"]);
});

test("takes every file where a package or the tests' settings changed", () => {
  expect(affected("package-lock.json")).toHaveLength(FILES.length);
  expect(affected("coordinator/package.json")).toHaveLength(FILES.length);
});
