import { expect, test } from "vitest";
import { buildRequestSchema } from "./build-request.ts";

const errorsOf = (ref: string) =>
  buildRequestSchema.safeParse({ source: { repository: { ref } } }).error?.issues.map(({ path }) => path.join("/")) ??
  [];

test("refuses what has not the form of a branch, tag or commit, and names the field", () => {
  for (const ref of ["main", "refs/heads/a/b", "refs/tags/v1", "0".repeat(40)]) expect(errorsOf(ref)).toEqual([]);
  for (const ref of ["a..b", "refs/pull/1/head", "a b", "x.lock"]) {
    expect([ref, errorsOf(ref)]).toEqual([ref, ["source/repository/ref"]]);
  }
});
