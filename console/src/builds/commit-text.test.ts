import { expect, test } from "vitest";
import { refText, shortCommit } from "./commit-text.ts";
import { BUILD } from "./testing/a-build.ts";

test("names a commit by its first digits, once it is known", () => {
  const { repository } = BUILD;
  expect(shortCommit(BUILD)).toBeNull();
  expect(shortCommit({ repository: null })).toBeNull();
  expect(shortCommit({ repository: repository && { ...repository, commit: "0123456789".repeat(4) } })).toBe("0123456");
});

test("names branches by their names, and other refs by all of theirs", () => {
  expect(["refs/heads/a/b", "main", "refs/tags/v1"].map(refText)).toEqual(["a/b", "main", "refs/tags/v1"]);
});
