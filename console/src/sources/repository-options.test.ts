import { expect, test } from "vitest";
import { repositoryOptions } from "./repository-options.ts";
import { REPOSITORY, SOURCE } from "./testing/a-source.ts";

test("lists forks as what cannot be chosen", () => {
  const fork = { ...REPOSITORY, repository_id: "2", name: "ada/fork", fork: true };
  expect(repositoryOptions([REPOSITORY, fork], SOURCE)).toEqual([
    { value: "1001", label: "ada/prover", disabled: false },
    { value: "2", label: "ada/fork (a fork, which is not built)", disabled: true },
  ]);
});

test("keeps what is set where the host does not list it", () => {
  expect(repositoryOptions([], SOURCE)).toEqual([{ value: "1001", label: "ada/prover", disabled: false }]);
  expect(repositoryOptions([], null)).toEqual([]);
});
