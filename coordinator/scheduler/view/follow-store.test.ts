/** However many tasks wait, a leader's view comes to have them all, and serves others meanwhile. */
import { setImmediate } from "node:timers/promises";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { cancelTask } from "../../domain/cancel-task.ts";
import { claim, type Task } from "../../domain/task.ts";
import { aReadyService, aTask } from "../../domain/testing/records.ts";
import { MemoryView } from "../../store/view/view.ts";
import { followStore } from "./follow-store.ts";
import { SchedulerView } from "./scheduler-view.ts";

const TASKS = 2_000;
const clock = { now: () => 0, monotonicMs: () => 0 };
const ages = { ...clock, nowFor: () => 0, leastRemainingMs: () => 0, onSetBack: () => () => undefined };
const links = { of: () => null, subscribe: () => () => undefined };
const { service } = aReadyService();

function fixture(count: number) {
  const records = new MemoryView({ clock, log: createLog({ name: "test", level: "silent" }) });
  const tasks = Array.from({ length: count }, (_, n) => aTask(service, { id: newId(n), createdAt: n }));
  let revision = 0;
  const put = (task: Task) => records.put("tasks", task.id, task, ++revision);
  records.put("services", service.id, service, ++revision);
  for (const task of tasks) put(task);
  const view = new SchedulerView();
  const loaded = Promise.withResolvers<void>();
  const stop = followStore(
    view,
    { records, links, clock: ages },
    { onChange: () => undefined, onLoaded: loaded.resolve },
  );
  const queue = () => [...(view.services.get(service.id)?.queue ?? [])].map(({ id }) => id);
  return { view, tasks, put, loaded: loaded.promise, stop, queue };
}

test("loads many waiting tasks in slices, also those that change meanwhile, as they are then", async () => {
  const { view, tasks, put, loaded, queue } = fixture(TASKS);
  expect(view.tasks.queued).toBeLessThan(TASKS);
  const open = new Map(tasks.map((task) => [task.id, task]));
  for (const [n, task] of tasks.entries()) {
    if (n % 3 === 0) put(cancelTask(task, 1));
    if (n % 3 === 1) put(claim(task, { nodeId: "n", sessionId: "s", assignmentId: "a" }, 1));
    if (n % 3 !== 2) open.delete(task.id);
    if (n % 100 === 0) await setImmediate();
    const late = aTask(service, { id: newId(TASKS + n), createdAt: TASKS + n });
    if (n % 10 !== 0) continue;
    put(late);
    open.set(late.id, late);
  }
  await loaded;
  expect(queue()).toEqual([...open.keys()].toSorted());
  expect(view.services.get(service.id)?.running.size).toBe(tasks.filter((_, n) => n % 3 === 1).length);
});

test("has loaded few tasks when it returns, and loads nothing after it was stopped", async () => {
  const few = fixture(100);
  expect(few.view.tasks.queued).toBe(100);
  const many = fixture(TASKS);
  many.stop();
  const before = many.view.tasks.queued;
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  expect(many.view.tasks.queued).toBe(before);
});
