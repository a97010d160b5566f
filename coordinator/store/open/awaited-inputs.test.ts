import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { claim } from "../../domain/task.ts";
import { create, inputBytes, replace } from "../change.ts";
import type { Kv } from "../kv.ts";
import { memoryKv } from "../memory/memory-kv.ts";
import { aTask } from "../testing/records.ts";
import { openStore } from "./open-store.ts";

const log = createLog({ name: "test", level: "silent" });
const inputOf = (n: number) => Buffer.alloc(1_000, `input ${n} `);
/** An input with its key, and what an entry costs. */
const ENTRY_BYTES_MAX = 1_200;

async function open() {
  const memory = memoryKv();
  let reads = 0;
  const kv: Kv = {
    ...memory,
    read: (keys, at) => {
      reads += 1;
      return memory.read(keys, at);
    },
    range: (prefix, page) => memory.range(prefix, page),
    txn: (txn) => memory.txn(txn),
    watch: (prefix, fromRevision, listener, signal) => memory.watch(prefix, fromRevision, listener, signal),
    lease: (ttlMs) => memory.lease(ttlMs),
    close: () => memory.close(),
  };
  const store = await openStore({ kv, clock: systemClock, log, awaitedBytesMax: 3 * ENTRY_BYTES_MAX });
  const ids: string[] = [];
  const add = async () => {
    const task = aTask({ id: newId(Date.now()) });
    await store.commit([create("tasks", task), inputBytes(task.id, inputOf(ids.push(task.id) - 1))]);
  };
  /** Of the store: 0 where it was in memory, 1 where it was read. */
  const readsOf = async (n: number) => {
    const before = reads;
    expect(await store.bytes("input", ids[n] ?? "")).toEqual(inputOf(n));
    return reads - before;
  };
  return { store, ids, add, readsOf };
}

test("has the inputs of the tasks that wait longest in memory, and reads those of the others, byte for byte", async () => {
  const { store, ids, add, readsOf } = await open();
  for (let n = 0; n < 5; n++) await add();
  const reads: number[] = [];
  for (const n of ids.keys()) reads.push(await readsOf(n));
  expect(reads).toEqual([0, 0, 0, 1, 1]);
  await store.close();
});

test("has room for another input once a task starts or is removed, and still has that of the task that started", async () => {
  const { store, ids, add, readsOf } = await open();
  for (let n = 0; n < 3; n++) await add();
  const [first, second] = [store.view.tasks.get(ids[0] ?? ""), store.view.tasks.get(ids[1] ?? "")];
  if (first === undefined || second === undefined) throw new Error("they are in the view");
  const on = { nodeId: "node", sessionId: "session", assignmentId: "assignment" };
  await store.commit([replace("tasks", first, claim(first.value, on, Date.now()))]);
  await store.commit([{ kind: "remove", record: "tasks", id: second.value.id, from: second.revision }]);
  for (let n = 0; n < 3; n++) await add();
  const reads: number[] = [];
  for (const n of [0, 2, 3, 4, 5]) reads.push(await readsOf(n));
  expect(reads).toEqual([0, 0, 0, 0, 1]);
  await store.close();
});
