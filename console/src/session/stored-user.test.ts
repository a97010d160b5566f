import { expect, test } from "vitest";
import { forgetUser, storeForUser } from "./stored-user.ts";

function aStore(given: Readonly<Record<string, string>>) {
  const values = new Map(Object.entries(given));
  return {
    values,
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
    key: (index: number) => [...values.keys()][index] ?? null,
    get length() {
      return values.size;
    },
  };
}

const STORED = { "elastic.inputs.a": "[1]", theme: "dark", "elastic.team": "t", "elastic.user": "ada" };

test("keeps what is stored for the user who logs in again", () => {
  const store = aStore(STORED);
  storeForUser("ada", store);
  expect(Object.fromEntries(store.values)).toEqual(STORED);
});

test("forgets the inputs and the team of another user, and keeps what is of nobody", () => {
  const store = aStore(STORED);
  storeForUser("tester", store);
  expect(Object.fromEntries(store.values)).toEqual({ theme: "dark", "elastic.user": "tester" });
  forgetUser(store);
  expect(Object.fromEntries(store.values)).toEqual({ theme: "dark" });
});
