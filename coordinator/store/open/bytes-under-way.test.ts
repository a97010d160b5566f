import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { create, inputBytes } from "../change.ts";
import type { Kv } from "../kv.ts";
import { memoryKv } from "../memory/memory-kv.ts";
import { aTask } from "../testing/records.ts";
import { openStore } from "./open-store.ts";

const log = createLog({ name: "test", level: "silent" });
const INPUT = Buffer.from('{"n":1e400}');

test("a subscriber that sees a record in the feed gets its bytes from the commit whose response is outstanding", async () => {
  const kv = memoryKv();
  const observed = Promise.withResolvers<{ readonly bytes: Promise<Buffer | null> }>();
  const slowToAnswer: Kv = {
    read: (keys, at) => kv.read(keys, at),
    range: (prefix, page) => kv.range(prefix, page),
    txn: async (txn) => {
      const answer = await kv.txn(txn);
      if (txn.puts.some(({ value }) => value.equals(INPUT))) await observed.promise;
      return answer;
    },
    watch: (prefix, fromRevision, listener, signal) => kv.watch(prefix, fromRevision, listener, signal),
    lease: (ttlMs) => kv.lease(ttlMs),
    close: () => kv.close(),
  };
  const store = await openStore({ kv: slowToAnswer, clock: systemClock, log });
  store.view.tasks.subscribe(({ id }) => {
    slowToAnswer.read = () => Promise.reject(new Error("it is not read"));
    observed.resolve({ bytes: store.bytes("input", id) });
  });
  const task = aTask();
  await store.commit([create("tasks", task), inputBytes(task.id, INPUT)]);
  expect(await (await observed.promise).bytes).toEqual(INPUT);
  await store.close();
});
