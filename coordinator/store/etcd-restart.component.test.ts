/** A restart of etcd, as a coordinator sees it: how soon it is back, and that its view misses nothing. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { startEtcd } from "@elastic/test/cluster/etcd.ts";
import { expect, test } from "vitest";
import { create, remove } from "./change.ts";
import { connectEtcd } from "./etcd/etcd-kv.ts";
import { openStore } from "./open/open-store.ts";
import { aTeam } from "./testing/records.ts";

const log = createLog({ name: "test", level: "silent" });
/** What both wait between two attempts has grown to its longest by then. */
const OUTAGE_MS = 1_500;
const BACK_WITHIN_MS = 2_000;

test("commits and views are back within two seconds of etcd, and the views miss no event", async () => {
  await using etcd = await startEtcd();
  const open = async () => {
    const kv = connectEtcd({ endpoints: [etcd.endpoint], log });
    return { kv, store: await openStore({ kv, clock: systemClock, log }) };
  };
  const [one, two] = [await open(), await open()];
  const removed = aTeam("removed");
  await one.store.commit([create("teams", removed)]);
  await expect.poll(() => two.store.view.teams.get(removed.id)).toBeDefined();
  const events: string[] = [];
  two.store.view.teams.subscribe(({ before, after }) => {
    events.push(after === undefined ? `-${before?.value.name}` : after.value.name);
  });

  await etcd.kill();
  await expect.poll(() => two.store.view.ageMs(), { timeout: 10_000 }).toBeGreaterThan(OUTAGE_MS);
  await etcd.start();
  const upMs = performance.now();
  // What is written first, before the other's watch is back.
  const commit = () => one.store.commit([create("teams", aTeam("first"))]).catch(() => null);
  await expect.poll(commit, { interval: 5, timeout: 10_000 }).toMatchObject({ kind: "committed" });
  const committedMs = performance.now() - upMs;
  const names = Array.from({ length: 50 }, (_, n) => `later ${n}`);
  for (const name of names) await one.store.commit([create("teams", aTeam(name))]);
  const read = await one.store.get("teams", removed.id);
  if (read === null) throw new Error("the team was lost");
  await one.store.commit([remove("teams", read)]);
  await expect.poll(() => two.store.view.teams.get(removed.id), { interval: 5, timeout: 10_000 }).toBeUndefined();
  const seenMs = performance.now() - upMs;

  expect(committedMs).toBeLessThan(BACK_WITHIN_MS);
  expect(seenMs).toBeLessThan(BACK_WITHIN_MS);
  // Each once, the removal too; the order of what a list brings is that of the keys.
  expect(events.toSorted()).toEqual(["-removed", "first", ...names].toSorted());
  for (const { store, kv } of [one, two]) {
    await store.close();
    await kv.close();
  }
});
