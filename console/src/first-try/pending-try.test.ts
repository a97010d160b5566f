import { expect, test } from "vitest";
import { forgetPending, readPending, storePending } from "./pending-try.ts";

function memoryStore(text: string | null = null) {
  let stored = text;
  return {
    getItem: () => stored,
    setItem: (_: string, value: string) => {
      stored = value;
    },
    removeItem: () => {
      stored = null;
    },
  };
}

const PENDING = { name: "poseidon-demo", teamId: "t", leftAt: 1_000, connectionId: null };

test("resumes until it is done, in the same team, within a quarter of an hour", () => {
  const store = memoryStore();
  storePending(PENDING, store);
  expect(readPending("t", 2_000, store)).toEqual(PENDING);
  expect(readPending("another", 2_000, store)).toBeNull();
  expect(readPending("t", 1_000 + 15 * 60_000 + 1, store)).toBeNull();
  storePending({ ...PENDING, connectionId: "c" }, store);
  expect(readPending("t", 2_000, store)?.connectionId).toBe("c");
  forgetPending(store);
  expect(readPending("t", 2_000, store)).toBeNull();
});

test("resumes nothing that it does not understand", () => {
  for (const text of ["", "null", "7", "{}", '{"name":1,"teamId":"t","leftAt":0}']) {
    expect(readPending("t", 0, memoryStore(text))).toBeNull();
  }
});
