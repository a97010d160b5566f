import { existsSync } from "node:fs";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { describe, expect, test } from "vitest";
import { deadPaths } from "./paths-in-docs.ts";
import { sourceFiles, trackedPaths } from "./source-files.ts";

const documents = sourceFiles().filter(({ path }) => path.endsWith(".md"));
const topLevel = new Set(trackedPaths().map((path) => path.split("/")[0] ?? ""));

test("every path that a document mentions exists", () => {
  expect(documents.map(({ path }) => path)).toContain("README.md");
  expect(deadPaths(documents, topLevel, (path) => existsSync(inRepository(path)))).toEqual([]);
});

describe("a dead path is found", () => {
  const exists = (path: string): boolean => path === "agent/main.ts";
  const check = (text: string) => deadPaths([{ path: "docs/a.md", text }], new Set(["agent", "docs"]), exists);

  test("in a link", () =>
    expect(check("[x](../agent/gone.ts)")).toEqual(["docs/a.md:1: agent/gone.ts does not exist"]));
  test("in a code span", () =>
    expect(check("\nsee `agent/gone.ts`")).toEqual(["docs/a.md:2: agent/gone.ts does not exist"]));
  test("and a living one is not", () =>
    expect(check("[x](../agent/main.ts) `agent/main.ts` <https://a.b/c>")).toEqual([]));
});
