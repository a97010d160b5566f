/** What an open store does once it is no longer the one that it was. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { create } from "./change.ts";
import { StoreChangedError } from "./kv.ts";
import { type MemoryKv, memoryKv } from "./memory/memory-kv.ts";
import { openStore } from "./open/open-store.ts";
import { aTask, aTeam, succeeded } from "./testing/records.ts";

const log = createLog({ name: "test", level: "silent" });

let kv: MemoryKv;
beforeEach(() => {
  kv = memoryKv();
});
afterEach(() => kv.close());

test("drops its view without notifying anybody, is never current again, and rejects reads and writes", async () => {
  const store = await openStore({ kv, clock: systemClock, log });
  const { view } = store;
  const team = aTeam();
  const ended = succeeded(aTask());
  await store.commit([create("teams", team), create("tasks", aTask()), create("tasks", ended)]);
  const changes: unknown[] = [];
  for (const records of [view.teams, view.tasks]) records.subscribe((change: unknown) => changes.push(change));
  kv.faults.change();
  await expect.poll(() => view.ageMs()).toBe(Number.POSITIVE_INFINITY);
  expect([...view.teams.values(), ...view.tasks.values(), ...view.tasks.endedEntries, ...changes]).toEqual([]);
  expect(view.tasks.get(ended.id)).toBeUndefined();
  expect(view.tasks.list({ teamId: ended.teamId }, { offset: 0, limit: 10 })).toEqual({ ids: [], total: 0 });
  await expect(store.get("teams", team.id)).rejects.toThrow(StoreChangedError);
  await expect(store.commit([create("teams", aTeam())])).rejects.toThrow(StoreChangedError);
  await store.close();
});

test("is not opened where it turns out to be another meanwhile", async () => {
  kv.faults.change();
  await expect(openStore({ kv, clock: systemClock, log })).rejects.toThrow(StoreChangedError);
});
