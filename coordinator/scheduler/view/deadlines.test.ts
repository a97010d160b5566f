import fc from "fast-check";
import { expect, test } from "vitest";
import { Deadlines, NO_DEADLINE } from "./deadlines.ts";

class Named {
  readonly name: string;
  deadlineMs = 0;
  deadlineAt = NO_DEADLINE;

  constructor(name: string) {
    this.name = name;
  }
}

const namesOf = (due: readonly Named[]) => due.map(({ name }) => name);

test("what is due is taken once, the earliest first", () => {
  const deadlines = new Deadlines<Named>();
  deadlines.set(new Named("late"), 300);
  deadlines.set(new Named("early"), 100);
  deadlines.set(new Named("middle"), 200);
  expect(namesOf(deadlines.takeDue(250, 10))).toEqual(["early", "middle"]);
  expect(deadlines.takeDue(250, 10)).toEqual([]);
  expect(namesOf(deadlines.takeDue(300, 10))).toEqual(["late"]);
});

test("a deadline that was moved or dropped is not due", () => {
  const deadlines = new Deadlines<Named>();
  const [moved, dropped] = [new Named("moved"), new Named("dropped")];
  deadlines.set(moved, 100);
  deadlines.set(moved, 500);
  deadlines.set(dropped, 100);
  deadlines.delete(dropped);
  expect(deadlines.takeDue(499, 10)).toEqual([]);
  expect(namesOf(deadlines.takeDue(500, 10))).toEqual(["moved"]);
});

test("takes no more than the maximum at once", () => {
  const deadlines = new Deadlines<Named>();
  for (let n = 0; n < 10; n++) deadlines.set(new Named(`${n}`), n);
  expect(namesOf(deadlines.takeDue(100, 4))).toEqual(["0", "1", "2", "3"]);
});

test("whatever is set and dropped, exactly what holds and is due is taken", () => {
  const step = fc.record({ of: fc.nat({ max: 20 }), atMs: fc.nat({ max: 100 }), drop: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 3000, size: "max" }), fc.nat({ max: 100 }), (steps, nowMs) => {
      const deadlines = new Deadlines<Named>();
      const all = Array.from({ length: 21 }, (_, n) => new Named(`${n}`));
      const model = new Map<Named, number>();
      for (const { of: n, atMs, drop } of steps) {
        const of = all[n] as Named;
        if (drop) deadlines.delete(of);
        else deadlines.set(of, atMs);
        if (drop) model.delete(of);
        else model.set(of, atMs);
      }
      const due = deadlines.takeDue(nowMs, Number.MAX_SAFE_INTEGER);
      const expected = [...model].filter(([, atMs]) => atMs <= nowMs).map(([of]) => of);
      expect(namesOf(due).toSorted()).toEqual(namesOf(expected).toSorted());
      const times = due.map((of) => model.get(of) ?? 0);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(deadlines.size).toBe(model.size - due.length);
    }),
    { numRuns: 30 },
  );
});
