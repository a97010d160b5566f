import fc from "fast-check";
import { expect, test } from "vitest";
import { MinHeap } from "./heap.ts";

function drain(heap: MinHeap<number>): number[] {
  const taken: number[] = [];
  for (let item = heap.pop(); item !== undefined; item = heap.pop()) taken.push(item);
  return taken;
}

test("what was pushed comes out in order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (items) => {
      const heap = new MinHeap<number>((a, b) => a < b);
      for (const item of items) heap.push(item);
      expect(drain(heap)).toEqual(items.toSorted((a, b) => a - b));
    }),
  );
});

test("what is retained stays in order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (items) => {
      const heap = new MinHeap<number>((a, b) => a < b);
      for (const item of items) heap.push(item);
      heap.retain((item) => item % 2 === 0);
      expect(drain(heap)).toEqual(items.filter((item) => item % 2 === 0).toSorted((a, b) => a - b));
    }),
  );
});

test("an empty heap has nothing to take", () => {
  const heap = new MinHeap<number>((a, b) => a < b);
  expect(heap.peek()).toBeUndefined();
  expect(heap.pop()).toBeUndefined();
  expect(heap.size).toBe(0);
});
