import { expect, test } from "vitest";
import { REPOSITORY } from "../sources/testing/a-source.ts";
import { repositoryNamed } from "./repository-named.ts";

test("finds a repository by the last part of its name, in any case, and no fork", () => {
  const nested = { ...REPOSITORY, name: "group/sub/Demo" };
  expect(repositoryNamed("PROVER", [nested, REPOSITORY])).toBe(REPOSITORY);
  expect(repositoryNamed("demo", [nested, REPOSITORY])).toBe(nested);
  expect(repositoryNamed("prov", [REPOSITORY])).toBeNull();
  expect(repositoryNamed("prover", [{ ...REPOSITORY, fork: true }])).toBeNull();
});
