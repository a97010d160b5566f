import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("so many work at a time, and the others follow in the order in which they came", async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = Array.from({ length: 5 }, async (_, n) => {
    const end = await turns.take();
    begun.push(n);
    ends.push(end);
  });
  await expect.poll(() => begun).toEqual([0, 1]);
  ends[0]?.();
  // Twice is once.
  ends[0]?.();
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  ends[1]?.();
  ends[2]?.();
  await Promise.all(all);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});
