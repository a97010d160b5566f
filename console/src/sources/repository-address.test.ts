import { expect, test } from "vitest";
import { repositoryAddress } from "./repository-address.ts";

test("leads to the page of a repository at its host, whatever it is called", () => {
  expect(repositoryAddress("https://github.com", "ada/prover")).toBe("https://github.com/ada/prover");
  expect(repositoryAddress("https://git.example/hub/", "a/b?c#d")).toBe("https://git.example/hub/a/b%3Fc%23d");
});

test("leads nowhere where the host is unknown or its address is none of the web", () => {
  expect(repositoryAddress(undefined, "ada/prover")).toBeNull();
  expect(repositoryAddress("javascript:alert(1)", "ada/prover")).toBeNull();
  expect(repositoryAddress("nonsense", "ada/prover")).toBeNull();
});
