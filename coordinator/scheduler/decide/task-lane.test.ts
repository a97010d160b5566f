import fc from "fast-check";
import { expect, test } from "vitest";
import { TaskLane } from "./task-lane.ts";

const id = (n: number) => n.toString(16).padStart(32, "0");

test("tasks wait in the order of their ids, whatever the order they came in", () => {
  const command = fc.record({ add: fc.boolean(), n: fc.nat({ max: 40 }) });
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
      const lane = new TaskLane<{ id: string }>();
      const model = new Set<string>();
      for (const { add, n } of commands) {
        if (add) {
          lane.add({ id: id(n) });
          model.add(id(n));
        } else {
          lane.remove(id(n));
          model.delete(id(n));
        }
        expect([...lane].map((task) => task.id)).toEqual([...model].toSorted());
        expect(lane.size).toBe(model.size);
      }
    }),
  );
});

test("a long lane taken from the front keeps no trace of what left", () => {
  const lane = new TaskLane<{ id: string }>();
  for (let n = 0; n < 20_000; n++) lane.add({ id: id(n) });
  for (let n = 0; n < 19_990; n++) lane.remove(id(n));
  expect([...lane].map((task) => task.id)).toEqual(Array.from({ length: 10 }, (_, n) => id(19_990 + n)));
});

test("a task that stays at the front does not make those behind it dear", () => {
  const lane = new TaskLane<{ id: string }>();
  const count = 50_000;
  for (let n = 0; n < count; n++) lane.add({ id: id(n) });
  const startMs = performance.now();
  for (let n = 1; n < count; n++) {
    const iterator = lane[Symbol.iterator]();
    iterator.next();
    expect(iterator.next().value?.id === id(n)).toBe(true);
    lane.remove(id(n));
  }
  // Milliseconds when it is near linear, minutes when it is quadratic.
  expect(performance.now() - startMs).toBeLessThan(10_000);
});
