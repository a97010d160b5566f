/** What an open store does with records that a later version wrote. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { create, replace } from "./change.ts";
import { UnreadableRecordError } from "./codec.ts";
import { recordKey } from "./keys.ts";
import { Memory } from "./memory/memory.ts";
import { type MemoryKv, memoryKv } from "./memory/memory-kv.ts";
import { openStore } from "./open/open-store.ts";
import { readAll, readAllVersioned } from "./read-all.ts";
import { readEndedTasks } from "./read-ended-tasks.ts";
import type { Store } from "./store.ts";
import { aTask, aTeam, running } from "./testing/records.ts";

const log = createLog({ name: "test", level: "silent" });
const task = running(aTask());
const LATER = { ...task, phase: { kind: "suspended", since: 1 } };

let memory: Memory;
let kv: MemoryKv;
let store: Store;
beforeEach(async () => {
  memory = new Memory();
  kv = memoryKv(memory);
  store = await openStore({ kv, clock: systemClock, log });
});
afterEach(async () => {
  await store.close();
  await kv.close();
});

async function writeAsLater(record: object = { op: "later.1", value: LATER }): Promise<void> {
  const puts = [{ key: recordKey("tasks", task.id), value: Buffer.from(JSON.stringify(record)) }];
  await kv.txn({ compares: [], puts, deletes: [] });
}

async function all<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const record of records) found.push(record);
  return found;
}

const stored = async () => (await kv.read([recordKey("tasks", task.id)])).entries[0];

test("a task whose phase it does not know is neither listed nor read, and counted", async () => {
  await store.commit([create("tasks", task)]);
  await writeAsLater();
  await expect.poll(() => store.view.unreadable(["tasks"])).toBe(1);
  expect(store.view.isUnreadable("tasks", task.id)).toBe(true);
  expect([...store.view.tasks.values(), ...store.view.tasks.endedEntries.keys()]).toEqual([]);
  expect(store.view.tasks.list({ teamId: task.teamId }, { offset: 0, limit: 9 })).toEqual({ ids: [], total: 0 });
  await expect(store.get("tasks", task.id)).rejects.toThrow(/later version: its phase.kind is "suspended"/);
});

test("is found at a start as well, and a record with a later version of its kind likewise", async () => {
  await writeAsLater({ op: "later.1", version: 2, value: task });
  const other = await openStore({ kv, clock: systemClock, log });
  expect([other.view.unreadable(), [...other.view.tasks.values()]]).toEqual([1, []]);
  await expect(other.get("tasks", task.id)).rejects.toThrow("it is of version 2, and this program knows 1");
  await other.close();
});

test("nothing that was read before overwrites it, and nothing new takes its place", async () => {
  await store.commit([create("tasks", task)]);
  const before = await store.get("tasks", task.id);
  if (before === null) throw new Error("the task is not there");
  await writeAsLater();
  const { revision } = (await stored()) ?? {};
  expect(await store.commit([replace("tasks", before, task)])).toEqual({ kind: "conflict" });
  expect(await store.commit([create("tasks", task)])).toEqual({ kind: "conflict" });
  expect((await stored())?.revision).toBe(revision);
});

test("it is not moved to the archive as one that ended", async () => {
  await writeAsLater({
    op: "later.1",
    value: { ...task, phase: { kind: "failed", failure: { reason: "solar_flare" } } },
  });
  expect(await readEndedTasks(kv, [task.id], log)).toEqual([]);
});

test("whoever removes what nothing refers to fails at it, and whoever removes single records passes it over", async () => {
  await writeAsLater();
  const other = aTask();
  await store.commit([create("tasks", other)]);
  await expect(all(readAll(kv, "tasks"))).rejects.toThrow(UnreadableRecordError);
  const passedOver: Error[] = [];
  const read = await all(readAllVersioned(kv, "tasks", { passOver: (error) => passedOver.push(error) }));
  expect([read.map(({ value }) => value.id), passedOver.length]).toEqual([[other.id], 1]);
});

test("comes back once it is readable again, and is gone once it is removed", async () => {
  await writeAsLater();
  await expect.poll(() => store.view.unreadable()).toBe(1);
  await writeAsLater({ op: "later.2", value: task });
  await expect.poll(() => store.view.tasks.get(task.id)?.value).toEqual(task);
  expect(store.view.unreadable()).toBe(0);
  await writeAsLater();
  await expect.poll(() => store.view.unreadable()).toBe(1);
  await kv.txn({ compares: [], puts: [], deletes: [recordKey("tasks", task.id)] });
  await expect.poll(() => store.view.unreadable()).toBe(0);
});

test("fields that it does not know come back, and records of other kinds are read as before", async () => {
  const team = { ...aTeam(), motto: "of a later version" };
  await store.commit([create("teams", team)]);
  expect((await store.get("teams", team.id))?.value).toEqual(team);
});

test.each([
  ["has nothing in it", '{"op":"by hand","value":{}}', /its id is no text/],
  ["lacks its phase", JSON.stringify({ op: "by hand", value: { ...task, phase: {} } }), /its phase.kind is no text/],
  ["is no record", "[]", /not a record/],
  ["is no JSON", "{", /malformed/],
])("a record that %s is counted as malformed, and neither listed, read nor taken for removed", async (_, text, why) => {
  await store.commit([create("tasks", task)]);
  const before = await store.get("tasks", task.id);
  if (before === null) throw new Error("the task is not there");
  await kv.txn({ compares: [], puts: [{ key: recordKey("tasks", task.id), value: Buffer.from(text) }], deletes: [] });
  await expect.poll(() => store.view.malformed(["tasks"])).toBe(1);
  expect([store.view.unreadable(), store.view.isUnreadable("tasks", task.id)]).toEqual([1, true]);
  expect([...store.view.tasks.values()]).toEqual([]);
  await expect(store.get("tasks", task.id)).rejects.toThrow(why);
  await expect(all(readAll(kv, "tasks"))).rejects.toThrow(UnreadableRecordError);
  expect(await store.commit([replace("tasks", before, task)])).toEqual({ kind: "conflict" });
  expect(await store.commit([create("tasks", task)])).toEqual({ kind: "conflict" });
});

test("a malformed record is named in the log once, however often the view is listed again", async () => {
  const lines: { readonly msg: string; readonly key?: string }[] = [];
  const listening = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const other = memoryKv(memory);
  const again = await openStore({ kv: other, clock: systemClock, log: listening });
  await kv.txn({ compares: [], puts: [{ key: recordKey("services", "s"), value: Buffer.from("{}") }], deletes: [] });
  await expect.poll(() => again.view.malformed(["services"])).toBe(1);
  other.faults.breakWatches();
  const team = aTeam();
  await store.commit([create("teams", team)]);
  await expect.poll(() => again.view.teams.get(team.id)).toBeDefined();
  const named = lines.filter(({ msg }) => msg === "a record cannot be read and is passed over");
  expect(named).toMatchObject([{ key: recordKey("services", "s") }]);
  await again.close();
  await other.close();
});
