import { newId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { aTask, succeeded } from "../../store/testing/records.ts";
import { TaskWaits } from "./task-waits.ts";

/** Tasks that never end. */
function endless(): Pick<ConstructorParameters<typeof TaskWaits>[0], "onceEnded"> {
  return { onceEnded: () => () => undefined };
}

function wait(waits: TaskWaits, owner: string, onGone: (abandon: () => void) => void = () => undefined) {
  const holder = { key: { id: newId(1), userId: owner }, teamId: owner };
  return waits.wait({ taskId: "t", holder, timeoutMs: 60_000, onGone });
}

test("a team has so many waits with all of its keys, and another team still has its own", async () => {
  let now = 0;
  const waits = new TaskWaits(endless(), { waiting: (count) => (now = count) });
  const held = Array.from({ length: 5_000 }, () => wait(waits, "a"));
  await expect(wait(waits, "a")).rejects.toMatchObject({ code: "too_many_waits", status: 429 });
  const other = wait(waits, "b");
  expect(now).toBe(5_001);
  waits.stop();
  expect(await Promise.all([...held, other])).toEqual(Array.from({ length: 5_001 }, () => null));
  expect(now).toBe(0);
  expect(await wait(waits, "a")).toBeNull();
});

test("a client that goes away frees its place", async () => {
  let now = 0;
  const waits = new TaskWaits(endless(), { waiting: (count) => (now = count) });
  let leave: () => void = () => undefined;
  const gone = wait(waits, "a", (abandon) => {
    leave = abandon;
  });
  expect(now).toBe(1);
  leave();
  expect(await gone).toBeNull();
  expect(now).toBe(0);
});

test("a task that has ended already frees its place at once", async () => {
  let now = 0;
  const task = { value: succeeded(aTask({ id: "t" })), revision: 7 };
  const tasks = {
    onceEnded: (_id: string, listener: (ended: Versioned<Task> | null) => void) => {
      listener(task);
      return () => undefined;
    },
  };
  const waits = new TaskWaits(tasks, { waiting: (count) => (now = count) });
  expect(await wait(waits, "a")).toBe(task);
  expect(now).toBe(0);
});
