import { newId } from "@elastic/std/ids.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PRIORITY_MAX, PRIORITY_MIN, PRIORITY_STEP_MS, rankOf } from "../../domain/priority.ts";
import { ServiceQueue } from "./service-queue.ts";

const WIDEST_MS = (PRIORITY_MAX - PRIORITY_MIN) * PRIORITY_STEP_MS;

function aTask(createdAt: number, priority: number) {
  return { id: newId(createdAt), read: { value: { createdAt, priority } } };
}

const priority = fc.integer({ min: PRIORITY_MIN, max: PRIORITY_MAX });
const anyTask = fc.tuple(fc.nat({ max: 3 * WIDEST_MS }), priority).map(([at, of]) => aTask(at, of));

function queued(tasks: readonly ReturnType<typeof aTask>[]): ServiceQueue<ReturnType<typeof aTask>> {
  const queue = new ServiceQueue<ReturnType<typeof aTask>>();
  for (const task of tasks) queue.add(task);
  return queue;
}

test("tasks come by rank, whatever comes and goes in whatever order", () => {
  fc.assert(
    fc.property(fc.array(anyTask, { maxLength: 80 }), fc.array(fc.nat({ max: 79 })), (tasks, gone) => {
      const queue = queued(tasks);
      const left = new Map(tasks.map((task) => [task.id, task]));
      for (const index of gone) {
        const id = tasks[index]?.id ?? "";
        queue.remove(id);
        left.delete(id);
        expect(queue.remove(id)).toBe(false);
      }
      const ranks = [...queue].map((task) => rankOf(task.read.value));
      expect(ranks).toEqual([...left.values()].map((task) => rankOf(task.read.value)).toSorted((a, b) => a - b));
      expect(queue.size).toBe(left.size);
    }),
  );
});

test("of two of the same age the one with the higher priority is first", () => {
  const [low, high] = [aTask(5, 0), aTask(5, 1)];
  expect([...queued([low, high])]).toEqual([high, low]);
});

test("a step of priority makes up for five minutes of age, and for no more", () => {
  const old = aTask(0, 0);
  const [within, beyond] = [aTask(PRIORITY_STEP_MS - 1, 1), aTask(PRIORITY_STEP_MS + 1, 1)];
  expect([...queued([old, within, beyond])]).toEqual([within, old, beyond]);
});

test("no task starves: what is created later by more than the widest step waits behind it, whatever their priorities", () => {
  fc.assert(
    fc.property(fc.array(anyTask, { maxLength: 80 }), (tasks) => {
      const order = [...queued(tasks)].map(({ read }) => read.value);
      for (const [place, { createdAt }] of order.entries()) {
        const passedBy = order.slice(0, place);
        for (const before of passedBy) expect(before.createdAt).toBeLessThanOrEqual(createdAt + WIDEST_MS);
      }
    }),
  );
});

test("under a load that never ends every task has its turn, served one at a time", () => {
  const [everyMs, arrivals] = [60_000, 400];
  const queue = queued([aTask(0, PRIORITY_MIN)]);
  const [patient] = queue;
  let now = 0;
  let isServed = false;
  // One task of the highest priority comes for each that is served.
  for (let n = 0; n < arrivals && !isServed; n++) {
    now = n * everyMs;
    queue.add(aTask(now, PRIORITY_MAX));
    const [next] = queue;
    queue.remove(next?.id ?? "");
    isServed = next === patient;
  }
  expect(isServed).toBe(true);
  expect(now).toBeLessThanOrEqual(WIDEST_MS + everyMs);
});

test("the first of a hundred thousand of mixed priorities is found without looking at the rest", () => {
  const queue = queued(Array.from({ length: 100_000 }, (_, n) => aTask(n, (n % 21) + PRIORITY_MIN)));
  const startMs = performance.now();
  for (let n = 0; n < 50_000; n++) {
    const [first] = queue;
    queue.remove(first?.id ?? "");
  }
  // A few microseconds each; a look at all of them would take minutes.
  expect(performance.now() - startMs).toBeLessThan(10_000);
  expect(queue.size).toBe(50_000);
});
