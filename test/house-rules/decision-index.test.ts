import { describe, expect, test } from "vitest";
import { INDEX, indexMistakes } from "./decision-index.ts";
import { type SourceFile, sourceFiles } from "./source-files.ts";

test("every decision is in the index", () => {
  const files = sourceFiles();
  const index = files.find(({ path }) => path === INDEX);
  expect(index).toBeDefined();
  expect(index && indexMistakes(index, files)).toEqual([]);
});

describe("a mistake in the index is found", () => {
  const files: readonly SourceFile[] = [
    { path: "docs/decisions/2026-01-02-store.md", text: "# The store\n" },
    { path: "docs/decisions/2026-01-03-queue.md", text: "# 2026-01-03: the queue\n" },
  ];
  const STORE = "| 2026-01-02 | [The store](2026-01-02-store.md) | accepted |";
  const QUEUE = "| 2026-01-03 | [the queue](2026-01-03-queue.md) | accepted |";
  const check = (...rows: readonly string[]) =>
    indexMistakes({ path: INDEX, text: ["| Date | Title | Status |", ...rows].join("\n") }, files);

  test("and none in an index that is right", () => {
    expect(check(STORE, QUEUE)).toEqual([]);
    expect(check(STORE.replace("accepted", "superseded by [the queue](2026-01-03-queue.md)"), QUEUE)).toEqual([]);
  });
  test.each([
    ["a decision that is missing", [STORE], "does not list 2026-01-03-queue.md"],
    ["one that is listed twice", [STORE, QUEUE, STORE], "is listed twice"],
    ["one that does not exist", [STORE, QUEUE, QUEUE.replaceAll("queue", "gone")], "is no decision"],
    ["another date", [STORE.replace("| 2026-01-02", "| 2026-01-04"), QUEUE], "has another date"],
    ["another title", [STORE.replace("The store", "Stores"), QUEUE], "its title is The store"],
    ["an unknown status", [STORE.replace("accepted", "rejected"), QUEUE], "a status is"],
    ["an unknown successor", [STORE.replace("accepted", "superseded by [x](gone.md)"), QUEUE], "a status is"],
  ])("%s", (_what, rows, sentence) => {
    const mistakes = check(...rows);
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toContain(sentence);
  });
});
