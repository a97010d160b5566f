import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { create } from "../change.ts";
import type { Kv } from "../kv.ts";
import { Memory } from "../memory/memory.ts";
import { memoryKv } from "../memory/memory-kv.ts";
import { openStore } from "../open/open-store.ts";
import { aTeam } from "../testing/records.ts";

const log = createLog({ name: "test", level: "silent" });

test("shows its own write as it was committed where the watch is ahead of the response, and another's as decoded", async () => {
  const memory = new Memory();
  const [kv, writing] = [memoryKv(memory), memoryKv(memory)];
  const answer = Promise.withResolvers<void>();
  const slow: Kv = {
    read: (keys, at) => kv.read(keys, at),
    range: (prefix, page) => kv.range(prefix, page),
    txn: async (txn) => {
      const outcome = await kv.txn(txn);
      await answer.promise;
      return outcome;
    },
    watch: (...watch) => kv.watch(...watch),
    lease: (ttlMs) => kv.lease(ttlMs),
    close: () => kv.close(),
  };
  const other = await openStore({ kv: writing, clock: systemClock, log });
  const store = await openStore({ kv: slow, clock: systemClock, log });
  const [own, others] = [aTeam("own"), aTeam("others")];
  const committing = store.commit([create("teams", own)]);
  await other.commit([create("teams", others)]);
  await expect.poll(() => store.view.teams.get(others.id)?.value).toEqual(others);
  expect(store.view.teams.get(others.id)?.value).not.toBe(others);
  expect(store.view.teams.get(own.id)?.value).toBe(own);
  answer.resolve();
  expect(await committing).toMatchObject({ kind: "committed" });
  for (const one of [store, other]) await one.close();
  for (const one of [kv, writing]) await one.close();
});

test("misses nothing that is written between the list and the watch", async () => {
  const memory = new Memory();
  const [kv, writing] = [memoryKv(memory), memoryKv(memory)];
  const writer = await openStore({ kv: writing, clock: systemClock, log });
  const [between, after] = [aTeam("between"), aTeam("after")];
  const late: Kv = {
    read: (keys, at) => kv.read(keys, at),
    range: (prefix, page) => kv.range(prefix, page),
    txn: (txn) => kv.txn(txn),
    watch: async (...watch) => {
      await writer.commit([create("teams", between)]);
      kv.watch(...watch);
      await writer.commit([create("teams", after)]);
    },
    lease: (ttlMs) => kv.lease(ttlMs),
    close: () => kv.close(),
  };
  const store = await openStore({ kv: late, clock: systemClock, log });
  await expect.poll(() => store.view.teams.get(after.id)?.value).toEqual(after);
  expect(store.view.teams.get(between.id)?.value).toEqual(between);
  for (const one of [store, writer]) await one.close();
  for (const one of [kv, writing]) await one.close();
});
