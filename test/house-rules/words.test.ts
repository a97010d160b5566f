import { describe, expect, test } from "vitest";
import { sourceFiles } from "./source-files.ts";
import { forbiddenWords } from "./words.ts";

test("finds no forbidden word in any text", () => {
  const files = sourceFiles();
  expect(files.length).toBeGreaterThan(100);
  expect(forbiddenWords(files)).toEqual([]);
});

describe("a planted violation is found", () => {
  const planted: readonly [path: string, text: string][] = [
    ["README.md", "TODO: write this"],
    ["sdk/src/lib.rs", "fn f() { todo!() }"],
    ["agent/a.test.ts", "test.only('x', () => {})"],
    ["agent/a.test.ts", "describe.skip('x', () => {})"],
    ["agent/a.test.ts", "test.skipIf(slow)('x', () => {})"],
    ["agent/a.ts", "// @ts-expect-error because"],
    ["agent/a.ts", "const x: any = 1;"],
    ["agent/a.ts", "const x = y as any;"],
    ["agent/a.ts", "export default 1;"],
    ["agent/a.ts", 'export * from "./b.ts";'],
    ["agent/a.ts", 'export { b } from "./b.ts";'],
    ["agent/a.ts", "enum Colour { red }"],
    ["agent/a.test.ts", 'import { setTimeout as sleep } from "node:timers/promises";'],
    ["agent/a.test.ts", "await new Promise((resolve) => setTimeout(resolve, 100));"],
    ["agent/a.test.ts", 'vi.mock("./b.ts");'],
    ["docs/a.md", "see /root/project/README.md"],
    ["docs/a.md", "for issue 7"],
    ["agent/a.ts", "console.log(1)"],
    ["agent/a.ts", "const { HOME } = process.env;"],
    ["coordinator/domain/task.ts", "const now = Date.now();"],
    ["coordinator/fleet/a.ts", 'store.commit([replace("tasks", task, after)])'],
    ["agent/a.ts", "const a = 1; "],
  ];
  test.each(planted)("%s: %s", (path, text) => {
    expect(forbiddenWords([{ path, text }])).toHaveLength(1);
  });
});

test("the want of a container engine may skip a test", () => {
  const text = "test.skipIf(noEngine !== null)('x', async () => {});";
  expect(forbiddenWords([{ path: "agent/a.test.ts", text }])).toEqual([]);
});
