import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { aTask, succeeded } from "../testing/records.ts";
import { EndedWaits } from "./ended-waits.ts";

const ended = { value: succeeded(aTask({ id: "t" })), revision: 7 };

test("notifies a crowd that waits for one task, a hundred a turn and the first of them at once", async () => {
  const waits = new EndedWaits();
  const { signal } = new AbortController();
  let notifiedCount = 0;
  const crowd = Array.from({ length: 1_050 }, () => waits.wait("t", signal).then(() => notifiedCount++));
  waits.settle("t", ended);
  await Promise.resolve();
  await Promise.resolve();
  expect(notifiedCount).toBe(100);
  for (let before = notifiedCount; notifiedCount < crowd.length; before = notifiedCount) {
    await setImmediate();
    expect(notifiedCount - before).toBeLessThanOrEqual(100);
  }
  await Promise.all(crowd);
});

test("who gives up before its turn gets the reason, and all others the task", async () => {
  const waits = new EndedWaits();
  const stay = new AbortController();
  const leave = new AbortController();
  const early = Array.from({ length: 150 }, () => waits.wait("t", stay.signal));
  const leaving = waits.wait("t", leave.signal);
  const late = Array.from({ length: 150 }, () => waits.wait("t", stay.signal));
  waits.settle("t", ended);
  leave.abort(new Error("gone"));
  await expect(leaving).rejects.toThrow("gone");
  for (const task of await Promise.all([...early, ...late])) expect(task).toBe(ended);
});

test("waits for the task's next end when it begins while waiters of a removed task are still being notified", async () => {
  const waits = new EndedWaits();
  const { signal } = new AbortController();
  const pending = Array.from({ length: 150 }, () => waits.wait("t", signal));
  waits.settle("t", null);
  const next = waits.wait("t", signal);
  expect(new Set(await Promise.all(pending))).toEqual(new Set([null]));
  waits.settle("t", ended);
  expect(await next).toBe(ended);
});
