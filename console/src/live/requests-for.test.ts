import { expect, test } from "vitest";
import { requestsFor } from "./requests-for.ts";

test("counts the pages of a list, and one request for anything else", () => {
  const items = Array.from({ length: 101 }, (_, index) => index);
  expect(requestsFor({ pages: [{ items }, { items: [] }, { items: [] }], pageParams: [] })).toBe(3);
  expect([requestsFor({ items, total: 101 }), requestsFor({ items: [], total: 0, pages: 0 })]).toEqual([2, 1]);
  for (const other of [undefined, null, 7, "text", { state: "Ready" }]) expect(requestsFor(other)).toBe(1);
});
