import { expect, test } from "vitest";
import { imagePlace, repositoryName, tagIn } from "./image-name.ts";

test("a registry is distinguished from a name as engines do it", () => {
  for (const name of ["ghcr.io/a/b", "localhost/a", "h:5000/a:1", "127.0.0.1:1/a@sha256:00"]) {
    expect([name, imagePlace(name)]).toEqual([name, "in a registry"]);
  }
  for (const name of ["a", "a:1", "a/b", "library/a:1", "sha256:00ff", "a.b", "3f2a"]) {
    expect([name, imagePlace(name)]).toEqual([name, "local"]);
  }
  expect(imagePlace("builtin:poseidon")).toBe("builtin");
});

test("what would be something else in a path is no name", () => {
  for (const name of ["", "-a", "/a", "a b", "a?x", "a#x", "a%2f", "../a", "a/../b", "a\n", "ä", "a".repeat(600)]) {
    expect(() => imagePlace(name)).toThrow("is not the name of an image");
  }
});

test("the tag is what follows the last colon, where it is no port and no digest", () => {
  const tags = ["a:1", "h:5000/a", "h:5000/a:v-2", "a", "a@sha256:00", "a:1@sha256:00", "sha256:00"].map(tagIn);
  expect(tags).toEqual(["1", null, "v-2", null, null, null, null]);
});

test("a service's repository has its name where a repository can have it, else its id", () => {
  const of = (service_name: string) => repositoryName({ service_name, service_id: "id" });
  expect(["sudoku", "my-prover", "a.b_c", "a__b"].map(of)).toEqual(["sudoku", "my-prover", "a.b_c", "a__b"]);
  expect(["Sudoku", "a..b", "a-", "a._b", "a___b"].map(of)).toEqual(["id", "id", "id", "id", "id"]);
});
