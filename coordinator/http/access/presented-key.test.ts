import { expect, test } from "vitest";
import { presentedKey, presentsTwoKeys } from "./presented-key.ts";

test.each([
  ["no header", {}, undefined],
  ["x-api-key", { "x-api-key": "eps_a" }, "eps_a"],
  ["an empty x-api-key, which is no browser's session", { "x-api-key": "" }, ""],
  ["a bearer token", { authorization: "Bearer eps_a" }, "eps_a"],
  ["the scheme in other letters", { authorization: "bearer  eps_a" }, "eps_a"],
  ["both", { "x-api-key": "eps_a", authorization: "Bearer eps_a" }, "eps_a"],
  ["a bearer token of somebody else", { authorization: "Bearer eyJhbGciOi" }, undefined],
  ["a key with another scheme", { authorization: "Basic eps_a" }, undefined],
  ["text after the token", { authorization: "Bearer eps_a eps_b" }, undefined],
])("reads the key of %s", (_, headers, key) => {
  expect(presentedKey(headers)).toBe(key);
});

test.each([
  ["different keys in both places", { "x-api-key": "eps_a", authorization: "Bearer eps_b" }, true],
  ["a malformed key and another one", { "x-api-key": "a", authorization: "bearer eps_b" }, true],
  ["the same key in both places", { "x-api-key": "eps_a", authorization: "Bearer eps_a" }, false],
  ["a bearer token of somebody else and a key", { "x-api-key": "eps_a", authorization: "Bearer eyJhbGciOi" }, false],
  ["an empty x-api-key and a bearer token", { "x-api-key": "", authorization: "Bearer eps_b" }, false],
  ["one key", { authorization: "Bearer eps_b" }, false],
])("of %s states whether there are two", (_, headers, areTwo) => {
  expect(presentsTwoKeys(headers)).toBe(areTwo);
});
