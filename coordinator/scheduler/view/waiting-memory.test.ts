/** What a task that waits takes in a coordinator's memory: as the feed decodes it, in the store's view and in a scheduler's. */
import { hash } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { aReadyService, aTask } from "../../domain/testing/records.ts";
import { encodeRecord, readRecord } from "../../store/codec.ts";
import { parseRecordKey, recordKey } from "../../store/keys.ts";
import { MemoryView } from "../../store/view/view.ts";
import { SchedulerView } from "./scheduler-view.ts";

const TASKS = 20_000;
/** A record takes 1,230 there. Of these 160 are its id, request and digest, 70 its trace. */
const IN_STORE_VIEW_MAX = 520;
const IN_SCHEDULER_VIEW_MAX = 220;
const LEFT_MAX = 30;
const clock = { now: () => 0, monotonicMs: () => 0 };

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function heapBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const { service } = aReadyService();

/** As it comes from etcd. */
function stored(n: number): { readonly key: string; readonly bytes: Buffer } {
  const id = newId(n);
  const sha256 = hash("sha256", id);
  const traceparent = `00-${newId(n)}-${sha256.slice(0, 16)}-01`;
  const input = { bytes: 100 + (n % 50), sha256, where: "store" } as const;
  const task = aTask(service, {
    id,
    createdAt: n,
    requestId: newId(n),
    input,
    traceparent,
    holds: { slots: 1, gpus: 0 },
  });
  const key = recordKey("tasks", id);
  return { key: Buffer.from(key).toString(), bytes: encodeRecord(key, `operation.${n}`, task) };
}

test("a task that waits takes a few hundred bytes in each view, and leaves none of them when it is removed", () => {
  const records = new MemoryView({ clock, log: createLog({ name: "test", level: "silent" }) });
  const scheduler = new SchedulerView();
  const perTask = (bytes: number) => Math.round(bytes / TASKS);
  const before = heapBytes();
  for (let n = 0; n < TASKS; n++) {
    const { key, bytes } = stored(n);
    const { kind, id } = parseRecordKey(key) ?? { kind: "tasks", id: "" };
    records.put(kind, id, readRecord(kind, id, bytes), n + 1);
  }
  const inView = heapBytes();
  expect(perTask(inView - before)).toBeLessThan(IN_STORE_VIEW_MAX);
  for (const read of records.tasks.values()) scheduler.putTask(read.value.id, read, 0, 0);
  expect(scheduler.tasks.queued).toBe(TASKS);
  const inBoth = heapBytes();
  expect(perTask(inBoth - inView)).toBeLessThan(IN_SCHEDULER_VIEW_MAX);
  for (const id of [...records.tasks.ids()]) {
    scheduler.putTask(id, undefined, 0, 0);
    records.remove("tasks", id, 2 * TASKS);
  }
  records.completeUpTo(2 * TASKS);
  expect(perTask(heapBytes() - before)).toBeLessThan(LEFT_MAX);
});
