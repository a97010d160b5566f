import { expect, test } from "vitest";
import { allPages, type PageOf } from "./all-pages.ts";

/** A list of the numbers below `total`, as the service gives pages of it. */
function aList(total: number) {
  const read: number[] = [];
  const numbers = Array.from({ length: total }, (_, index) => index);
  const page = async ({ page: number, size }: PageOf) => {
    read.push(number);
    return { items: numbers.slice((number - 1) * size, number * size), total, pages: Math.ceil(total / size) };
  };
  return { read, page, numbers };
}

test("reads every page of a list, and one of an empty list", async () => {
  const long = aList(201);
  expect(await allPages(long.page)).toEqual({ items: long.numbers, total: 201 });
  expect(long.read).toEqual([1, 2, 3]);
  const empty = aList(0);
  expect(await allPages(empty.page)).toEqual({ items: [], total: 0 });
  expect(empty.read).toEqual([1]);
});

test("stops after 2,000 items, and says how many there are", async () => {
  const { items, total } = await allPages(aList(2_345).page);
  expect([items.length, total]).toEqual([2_000, 2_345]);
});
