import { expect, test } from "vitest";
import { shrink } from "./shrink.ts";

const ITEMS = Array.from({ length: 40 }, (_, index) => index);

test.each([[[]], [[0]], [[39]], [[3, 17]], [[0, 1, 2, 20, 38]]])(
  "finds the %j that fail of forty items",
  async (culprits) => {
    const fails = async (some: readonly number[]) => culprits.every((culprit) => some.includes(culprit));
    expect(await shrink(ITEMS, fails)).toEqual(culprits);
  },
);

test("ends with a set of which no item can be left out, where several sets fail", async () => {
  const fails = async (some: readonly number[]) => some.includes(30) && (some.includes(4) || some.includes(11));
  const left = await shrink(ITEMS, fails);
  expect(left).toHaveLength(2);
  expect(await fails(left)).toBe(true);
});
