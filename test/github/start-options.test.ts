import { expect, test } from "vitest";
import { startOrder } from "./start-options.ts";

const order = (...words: readonly string[]) => startOrder(words, { root: "/code/repo", directory: "/code/repo/test" });

test.each([["../.cache/github"], ["/tmp/github"], ["..hidden"]])("starts in %s", (folder) => {
  expect(order(folder)).toMatchObject({ kind: "start", folder: expect.stringMatching(/^\//) });
});

test.each([[".."], ["/code/repo"], ["/code"], ["/"]])(
  "writes no keys into %s, which is or holds the repository",
  (folder) => {
    expect(order(folder)).toMatchObject({ kind: "wrong", why: expect.stringContaining("the repository") });
  },
);

test("reports what is wrong, and shows help on request", () => {
  expect(order()).toMatchObject({ kind: "wrong", why: expect.stringContaining("Name a folder") });
  for (const words of [["a", "b"], ["--folder"]]) expect(order(...words).kind).toBe("wrong");
  expect(order("a", "--help")).toEqual({ kind: "help" });
});
