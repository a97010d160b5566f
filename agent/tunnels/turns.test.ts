import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

const LONG_MS = 60_000;

/** Takes a turn for each name; what has begun so far, and the ways to end those. */
function taking(turns: Turns, names: readonly string[]) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const all = names.map(async (name) => {
    const end = await turns.take(name.slice(0, 1));
    begun.push(name);
    ends.push(end);
  });
  return { begun, ends, all: Promise.all(all) };
}

test("so many work at a time, and the others follow in the order in which they came", async () => {
  const { begun, ends, all } = taking(new Turns(2, LONG_MS), ["a0", "a1", "a2", "a3", "a4"]);
  await expect.poll(() => begun).toEqual(["a0", "a1"]);
  ends[0]?.();
  // Idempotent.
  ends[0]?.();
  await expect.poll(() => begun).toEqual(["a0", "a1", "a2"]);
  ends[1]?.();
  ends[2]?.();
  await all;
  expect(begun).toEqual(["a0", "a1", "a2", "a3", "a4"]);
});

test("does not delay one that requests once by one that requests often", async () => {
  const { begun, ends, all } = taking(new Turns(1, LONG_MS), ["a0", "a1", "a2", "a3", "b0", "c0", "b1"]);
  for (let done = 0; done < 6; done += 1) {
    await expect.poll(() => begun.length).toBe(done + 1);
    ends[done]?.();
  }
  await all;
  expect(begun).toEqual(["a0", "a1", "b0", "c0", "a2", "b1", "a3"]);
});

test("ends a turn that is not ended automatically", async () => {
  const { begun, all } = taking(new Turns(1, 10), ["a0", "a1", "b0"]);
  await all;
  expect(begun).toEqual(["a0", "a1", "b0"]);
});
