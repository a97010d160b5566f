import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { afterLostNode } from "../../domain/retry.ts";
import { claim, type Task } from "../../domain/task.ts";
import { aTask as aTaskOf, TEAM } from "../../domain/testing/records.ts";
import { running, succeeded } from "../testing/records.ts";
import { TaskTable } from "./task-table.ts";

const log = createLog({ name: "test", level: "silent" });

const aTask = (id: string, createdAt: number, serviceId = "s1") => aTaskOf({ id: serviceId }, { id, createdAt });

const QUEUED = { kind: "queued", since: 5, lastFailure: null };

function seldom(usual: unknown, other: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fc.constant(usual), weight: 20 }, { arbitrary: other, weight: 1 });
}

/** Also of fields that this version does not know, and of values that it does not write. */
const own: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    serviceId: fc.constantFrom("s1", "s2"),
    creatorId: fc.constantFrom("ada", "bob"),
    createdAt: seldom(5, fc.nat()),
    requestId: fc.string(),
    traceparent: fc.string(),
    priority: fc.integer({ min: -10, max: 10 }),
    input: fc.record({ bytes: fc.nat(), sha256: fc.string(), where: fc.constantFrom("store", "blob") }),
    budgets: fc.record({ queueMs: fc.constantFrom(1, 2), startMs: fc.constant(1), runMs: fc.constant(1) }),
    retentionMs: fc.constantFrom(1, 2),
    holds: fc.constantFrom({ slots: 1, gpus: 0 }, { slots: 2, gpus: 0 }),
    phase: seldom(QUEUED, fc.constant({ ...QUEUED, later: 1 })),
    timeline: seldom([[5, "created"]], fc.constantFrom([[5, "created", "later"]], [[6, "created"]])),
    later: fc.constantFrom(1, null, { deep: [1] }, { deep: [2] }),
  },
  { requiredKeys: [] },
);

test("a task that waits is read as it was stored, field by field, whatever other tasks are like", () => {
  fc.assert(
    fc.property(fc.array(own, { maxLength: 40 }), (all) => {
      const table = new TaskTable(log);
      // As JSON, which has no `undefined` and no prototypes.
      const copy = (task: object): Task => JSON.parse(JSON.stringify(task));
      const stored = all.map((given, n) => copy({ ...aTask(newId(n), 5), ...given }));
      for (const [n, task] of stored.entries()) table.put(task.id, copy(task), n + 1);
      for (const [n, task] of stored.entries()) {
        const read = table.get(task.id);
        expect([read?.value, read?.revision]).toStrictEqual([task, n + 1]);
      }
      expect([...table.values()].map(({ value }) => value.id).sort()).toEqual(stored.map(({ id }) => id).sort());
    }),
  );
});

test("counts the tasks of each service that wait for their first attempt, and has the others one by one", () => {
  const table = new TaskTable(log);
  const at = (n: number, serviceId: string) => aTask(newId(n), n, serviceId);
  const lost = afterLostNode(claim(at(1, "s1"), { nodeId: "n", sessionId: "s", assignmentId: "a" }, 2), 3);
  for (const task of [lost, at(2, "s1"), at(3, "s1"), at(4, "s2"), running(at(5, "s2"))]) table.put(task.id, task, 1);
  expect([...table.firstWaits()]).toEqual([
    { teamId: TEAM, serviceId: "s1", tasks: 2, since: 2 },
    { teamId: TEAM, serviceId: "s2", tasks: 1, since: 4 },
  ]);
  expect([...table.begun()].map(({ value }) => value.createdAt)).toEqual([1, 5]);
  const byAge = [...table.values()].map(({ value }) => value).toSorted((a, b) => a.createdAt - b.createdAt);
  const [, second, , fourth] = byAge;
  if (second === undefined || fourth === undefined) throw new Error("they wait");
  table.put(second.id, running(second), 2);
  table.put(fourth.id, succeeded(fourth), 2);
  expect([...table.firstWaits()]).toEqual([{ teamId: TEAM, serviceId: "s1", tasks: 1, since: 3 }]);
  table.clear();
  expect([[...table.firstWaits()], [...table.begun()]]).toEqual([[], []]);
});

test("who is notified reads the task that was put, and before it the one that it replaced", () => {
  const table = new TaskTable(log);
  const seen: unknown[] = [];
  table.subscribe(({ before, after }) => seen.push(before?.value, after?.value));
  const task = aTask(newId(1), 1);
  table.put(task.id, task, 1);
  const another = aTask(newId(2), 2);
  table.put(another.id, another, 2);
  seen.length = 0;
  table.put(task.id, running(task), 3);
  table.remove(task.id, 4);
  expect(seen).toEqual([task, running(task), running(task), undefined]);
});
