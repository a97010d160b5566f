import { expect, test } from "vitest";
import { matching } from "./files.ts";

const PATHS = ["agent/link/link.test.ts", "agent/link/link.ts", "coordinator/http/server.test.ts", "README.md"];

test("finds test files by a part of their path", () => {
  expect(matching(["link"], PATHS)).toEqual(["agent/link/link.test.ts"]);
  expect(matching(["./coordinator/http", "link/"], PATHS)).toEqual([
    "agent/link/link.test.ts",
    "coordinator/http/server.test.ts",
  ]);
});

test("finds nothing by a word that only other files have", () => {
  expect(matching(["README"], PATHS)).toEqual([]);
});
