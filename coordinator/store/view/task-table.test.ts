import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { OPEN_PHASES } from "../../domain/task.ts";
import { aTask, running, succeeded } from "../testing/records.ts";
import { TaskTable } from "./task-table.ts";

const log = createLog({ name: "test", level: "silent" });
const all = { offset: 0, limit: 100 };

/** Ids in the order of their creation. */
const ids = (count: number) => Array.from({ length: count }, (_, i) => newId(1_000_000 + i));

test("lists have a team's tasks, newest first, by service and by phase", () => {
  const table = new TaskTable(log);
  const [a = "", b = "", c = "", d = ""] = ids(4);
  table.put(b, aTask({ id: b, serviceId: "s1" }), 1);
  table.put(a, aTask({ id: a, serviceId: "s1" }), 2);
  table.put(c, aTask({ id: c, serviceId: "s2" }), 3);
  table.put(d, aTask({ id: d, teamId: "another" }), 4);
  expect(table.list({ teamId: "team" }, all)).toEqual({ ids: [c, b, a], total: 3 });
  expect(table.list({ teamId: "team" }, { offset: 1, limit: 1 })).toEqual({ ids: [b], total: 3 });
  expect(table.list({ teamId: "team", serviceId: "s1" }, all).ids).toEqual([b, a]);
  table.put(b, running(aTask({ id: b, serviceId: "s1" })), 5);
  expect(table.list({ teamId: "team", phases: OPEN_PHASES }, all).ids).toEqual([c, b, a]);
  table.put(b, succeeded(aTask({ id: b, serviceId: "s1" })), 6);
  expect(table.list({ teamId: "team", phases: OPEN_PHASES }, all).ids).toEqual([c, a]);
  expect(table.list({ teamId: "team", serviceId: "s1", phases: ["succeeded"] }, all)).toEqual({ ids: [b], total: 1 });
  expect(table.list({ teamId: "team" }, all).total).toBe(3);
  table.remove(b, 9);
  expect(table.list({ teamId: "team" }, all).ids).toEqual([c, a]);
  expect(table.list({ teamId: "team", phases: ["succeeded"] }, all)).toEqual({ ids: [], total: 0 });
});

test("holds complete records of open tasks, and of ended ones as long as there is room", () => {
  const table = new TaskTable(log, 2);
  const [a = "", b = "", c = "", d = ""] = ids(4);
  for (const id of [a, b, c]) table.put(id, succeeded(aTask({ id })), 1);
  table.put(d, aTask({ id: d }), 1);
  expect([a, b, c, d].map((id) => table.get(id) !== undefined)).toEqual([false, true, true, true]);
  expect([...table.values()].map(({ value }) => value.id)).toEqual([d]);
  expect([...table.ids()].sort()).toEqual([a, b, c, d]);
  expect(table.revisionOf(a)).toBe(1);
  expect(table.list({ teamId: "team", phases: ["succeeded"] }, all).total).toBe(3);
});

test("of every ended task it is known what it used, in the order of their ends, until it is removed", () => {
  const table = new TaskTable(log, 1);
  const [a = "", b = ""] = ids(2);
  table.put(b, succeeded(aTask({ id: b })), 1);
  table.put(a, aTask({ id: a }), 2);
  expect([...table.endedEntries.keys()]).toEqual([b]);
  table.put(a, succeeded(aTask({ id: a })), 3);
  expect([...table.endedEntries.keys()]).toEqual([b, a]);
  const usage = { phase: "succeeded", finishedAt: 2, queueMs: 1, runMs: 1, gpuMs: 0, slotMs: 1 };
  expect(table.endedEntries.get(a)).toMatchObject({ teamId: "team", serviceId: "service", revision: 3, usage });
  table.remove(b, 9);
  table.remove(a, 9);
  expect(table.endedEntries.size).toBe(0);
});

test("resolves a wait with the ended task, also of one that is not in the view yet", async () => {
  const table = new TaskTable(log);
  const [a = ""] = ids(1);
  const waits = [table.ended(a, new AbortController().signal), table.ended(a, new AbortController().signal)];
  table.put(a, aTask({ id: a }), 1);
  table.put(a, running(aTask({ id: a })), 2);
  table.put(a, succeeded(aTask({ id: a })), 3);
  for (const ended of await Promise.all(waits)) expect(ended?.revision).toBe(3);
  expect((await table.ended(a, new AbortController().signal))?.revision).toBe(3);
});

test("resolves a wait for what is gone or no longer retained with null, and rejects an aborted one with the reason", async () => {
  const table = new TaskTable(log, 1);
  const [a = "", b = "", c = ""] = ids(3);
  const stop = new AbortController();
  const given = table.ended(a, stop.signal);
  stop.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
  await expect(table.ended(a, stop.signal)).rejects.toThrow("enough");
  table.put(a, aTask({ id: a }), 1);
  const removed = table.ended(a, new AbortController().signal);
  table.remove(a, 9);
  expect(await removed).toBeNull();
  for (const id of [b, c]) table.put(id, succeeded(aTask({ id })), 2);
  expect(await table.ended(b, new AbortController().signal)).toBeNull();
});
