/** How young a view is believed to be, behind a line that holds things up. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { type FaultProxy, startFaultProxy } from "@elastic/test/cluster/fault-proxy.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectEtcd } from "../etcd/etcd-kv.ts";
import type { Kv } from "../kv.ts";
import { openStore } from "../open/open-store.ts";
import type { Store } from "../store.ts";

const log = createLog({ name: "test", level: "silent" });
let etcd: Etcd;
let proxy: FaultProxy;
let kv: Kv;
let store: Store;
/** Ages at each sign of life, as the watch reports them. */
const reportedAges: number[] = [];

beforeAll(async () => {
  etcd = await startEtcd();
  proxy = await startFaultProxy(new URL(etcd.endpoint).host);
  const direct = connectEtcd({ endpoints: [`http://${proxy.address}`], log });
  kv = Object.assign(Object.create(direct) as Kv, {
    watch: (...[prefix, from, listener, signal]: Parameters<Kv["watch"]>) =>
      direct.watch(
        prefix,
        from,
        {
          onEvents: (events) => listener.onEvents(events),
          onBroken: (error) => listener.onBroken(error),
          onProgress: (revision, agoMs) => {
            reportedAges.push(agoMs);
            listener.onProgress(revision, agoMs);
          },
          onCurrent: (agoMs) => listener.onCurrent?.(agoMs),
        },
        signal,
      ),
    txn: direct.txn.bind(direct),
    read: direct.read.bind(direct),
    range: direct.range.bind(direct),
    close: direct.close.bind(direct),
  });
  store = await openStore({ kv, clock: systemClock, log });
});
afterAll(async () => {
  await store.close();
  await kv.close();
  await proxy[Symbol.asyncDispose]();
  await etcd[Symbol.asyncDispose]();
});

test("a response that was held up on its way makes the view no younger than its request", async () => {
  await expect.poll(() => store.view.ageMs(), { interval: 10 }).toBeLessThan(200);
  proxy.set("stall");
  await expect.poll(() => store.view.ageMs(), { timeout: 5000 }).toBeGreaterThan(1200);
  reportedAges.splice(0);
  proxy.set("pass");
  await expect.poll(() => reportedAges.length, { interval: 1 }).toBeGreaterThan(0);
  expect(reportedAges[0]).toBeGreaterThan(700);
  await expect.poll(() => store.view.ageMs(), { interval: 10 }).toBeLessThan(400);
});
