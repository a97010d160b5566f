import { expect, test } from "vitest";
import { normalizeBaseDir } from "./base-dir.ts";
import { encodeRefName, isRefName, parseGitRef } from "./git-ref.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

test.each([
  ["main", { kind: "branch", name: "main" }],
  ["feature/a.b", { kind: "branch", name: "feature/a.b" }],
  ["refs/heads/main", { kind: "branch", name: "main" }],
  ["refs/tags/v1.0", { kind: "tag", name: "v1.0" }],
  [COMMIT, { kind: "commit", name: COMMIT }],
])("reads %j as %j", (text, expected) => {
  expect(parseGitRef(text)).toEqual(expected);
});

test.each([
  "",
  "refs/pull/1/head",
  "refs/heads/",
  "refs/",
  "a..b",
  "../../user",
  "a/../b",
  "a//b",
  "/a",
  "a/",
  ".a",
  "a/.b",
  "a.lock",
  "a.",
  "@",
  "a@{1}",
  "a b",
  "a\nb",
  "a~1",
  "a^",
  "a:b",
  "a?b",
  "a*b",
  "a[b",
  "a\\b",
  "a%2e",
  "a#b",
  "x".repeat(251),
])("reads %j as no ref", (text) => {
  expect(parseGitRef(text)).toBeNull();
});

test("names a branch that looks like a commit only in full", () => {
  expect(parseGitRef(`refs/heads/${COMMIT}`)).toEqual({ kind: "branch", name: COMMIT });
  expect([isRefName("ünïcode"), encodeRefName("a b/ü")]).toEqual([true, "a%20b/%C3%BC"]);
});

test.each([
  ["", ""],
  [".", ""],
  ["./provers//a/", "provers/a"],
  ["..", null],
  ["a/../b", null],
  ["/etc", null],
  ["a\\b", null],
  ["a\0b", null],
  ["x".repeat(501), null],
])("normalizes the folder %j to %j", (text, expected) => {
  expect(normalizeBaseDir(text)).toBe(expected);
});
