import fc from "fast-check";
import { expect, test } from "vitest";
import { Deadlines } from "./deadlines.ts";

test("what is due is taken once, the earliest first", () => {
  const deadlines = new Deadlines<string>();
  deadlines.set("late", 300);
  deadlines.set("early", 100);
  deadlines.set("middle", 200);
  expect(deadlines.takeDue(250, 10)).toEqual(["early", "middle"]);
  expect(deadlines.takeDue(250, 10)).toEqual([]);
  expect(deadlines.takeDue(300, 10)).toEqual(["late"]);
});

test("a deadline that was moved or dropped is not due", () => {
  const deadlines = new Deadlines<string>();
  deadlines.set("moved", 100);
  deadlines.set("moved", 500);
  deadlines.set("dropped", 100);
  deadlines.delete("dropped");
  expect(deadlines.takeDue(499, 10)).toEqual([]);
  expect(deadlines.takeDue(500, 10)).toEqual(["moved"]);
});

test("takes no more than the maximum at once", () => {
  const deadlines = new Deadlines<number>();
  for (let n = 0; n < 10; n++) deadlines.set(n, n);
  expect(deadlines.takeDue(100, 4)).toEqual([0, 1, 2, 3]);
});

test("whatever is set and dropped, exactly what holds and is due is taken", () => {
  const step = fc.record({ of: fc.nat({ max: 20 }), atMs: fc.nat({ max: 100 }), drop: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 3000, size: "max" }), fc.nat({ max: 100 }), (steps, nowMs) => {
      const deadlines = new Deadlines<number>();
      const model = new Map<number, number>();
      for (const { of, atMs, drop } of steps) {
        if (drop) deadlines.delete(of);
        else deadlines.set(of, atMs);
        if (drop) model.delete(of);
        else model.set(of, atMs);
      }
      const due = deadlines.takeDue(nowMs, Number.MAX_SAFE_INTEGER);
      const expected = [...model].filter(([, atMs]) => atMs <= nowMs).map(([of]) => of);
      expect(due.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
    }),
    { numRuns: 30 },
  );
});
