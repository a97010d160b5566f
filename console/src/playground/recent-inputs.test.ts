import { expect, test } from "vitest";
import { recentInputs, rememberInput } from "./recent-inputs.ts";

function aStore(given: Readonly<Record<string, string>> = {}) {
  const values = new Map(Object.entries(given));
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
  };
}

test("remembers the last five inputs of each service, the newest first, each once", () => {
  const store = aStore();
  for (const input of ["1", "2", "3", "4", "5", "2", "6"]) rememberInput("a", input, store);
  rememberInput("b", "7", store);
  expect(recentInputs("a", store)).toEqual(["6", "2", "5", "4", "3"]);
  expect(recentInputs("b", store)).toEqual(["7"]);
});

test("does not remember an input that is too long", () => {
  const store = aStore();
  rememberInput("a", "x".repeat(20_001), store);
  expect(recentInputs("a", store)).toEqual([]);
});

test("ignores what it did not store, and does not fail without room", () => {
  for (const text of ["{", "{}", "[1]", "null"])
    expect(recentInputs("a", aStore({ "elastic.inputs.a": text }))).toEqual([]);
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error("no room");
    },
  };
  expect(() => rememberInput("a", "1", full)).not.toThrow();
});
