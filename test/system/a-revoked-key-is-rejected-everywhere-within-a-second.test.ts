import { type AccessKey, revoked } from "@elastic/coordinator/domain/access-key.ts";
import { expectHeadDescribed } from "@elastic/coordinator/http/testing/conformance.ts";
import { replace } from "@elastic/coordinator/store/change.ts";
import { connectEtcd } from "@elastic/coordinator/store/etcd/etcd-kv.ts";
import { openStore } from "@elastic/coordinator/store/open/open-store.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import type { Coordinator } from "../cluster/coordinator.ts";
import { startFaultProxy } from "../cluster/fault-proxy.ts";

const WITHIN_MS = 1_000;
const CALLERS = 4;

interface NewKey {
  readonly key: string;
  readonly key_id: string;
}

async function newKey(cluster: Cluster): Promise<NewKey> {
  const body = JSON.stringify({ name: "to be revoked", scopes: ["tasks:read"] });
  const headers = { "content-type": "application/json" };
  const made = await cluster.client().call("/v1/keys", { method: "POST", body, headers });
  expect(made.status).toBe(201);
  return made.json as NewKey;
}

/** Calls with the key without a pause, until it is stopped. */
function hammer({ url }: Coordinator, { key }: NewKey) {
  const seen: { readonly beganAtMs: number; readonly status: number; readonly retryAfter: string | null }[] = [];
  let stopped = false;
  const caller = async () => {
    while (!stopped) {
      const beganAtMs = performance.now();
      const response = await fetch(`${url}/v1/me`, { headers: { "x-api-key": key } });
      await expectHeadDescribed(response);
      const { status, headers } = response;
      seen.push({ beganAtMs, status, retryAfter: headers.get("retry-after") });
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, caller));
  return {
    until: (status: number) =>
      expect.poll(() => seen.some((one) => one.status === status), { timeout: 90_000, interval: 5 }).toBe(true),
    stop: async () => {
      stopped = true;
      await callers;
    },
    statuses: () => new Set(seen.map(({ status }) => status)),
    refusalsNameATime: () =>
      seen.filter(({ status }) => status === 503).every(({ retryAfter }) => Number(retryAfter) > 0),
    /** How long after `atMs` the last request began that the key still opened something for. */
    openedForMs: (atMs: number) =>
      Math.max(0, ...seen.filter(({ status }) => status === 200).map(({ beganAtMs }) => beganAtMs - atMs)),
  };
}

test("at both coordinators, while both are busy with it", async () => {
  await using cluster = await startCluster({ coordinators: 2, agents: 0 });
  const key = await newKey(cluster);
  const loads = cluster.coordinators.map((coordinator) => hammer(coordinator, key));
  for (const load of loads) await load.until(200);
  const sentAtMs = performance.now();
  const revoking = await cluster.client().call(`/v1/keys/${key.key_id}`, { method: "DELETE" });
  const answeredAtMs = performance.now();
  expect(revoking.status).toBe(204);
  for (const load of loads) await load.until(401);
  for (const load of loads) await load.stop();
  const [first, second] = loads;
  // Where it was revoked, no request succeeds once that is acknowledged.
  expect(first?.openedForMs(answeredAtMs)).toBe(0);
  expect(second?.openedForMs(answeredAtMs)).toBeLessThan(WITHIN_MS);
  const times = loads.map((load) => `${load.openedForMs(sentAtMs).toFixed(0)} ms`);
  process.stdout.write(`last use after the revocation was sent: ${times.join(", ")}\n`);
});

test("at coordinators that receive nothing of it, which respond with 503 until they do", async () => {
  const proxies = new AsyncDisposableStack();
  await using _ = proxies;
  const proxy = Promise.withResolvers<Awaited<ReturnType<typeof startFaultProxy>>>();
  await using cluster = await startCluster({
    coordinators: 2,
    agents: 0,
    etcdThrough: async (endpoint) => {
      proxy.resolve(proxies.use(await startFaultProxy(new URL(endpoint).host)));
      return `http://${(await proxy.promise).address}`;
    },
  });
  const key = await newKey(cluster);
  const loads = cluster.coordinators.map((coordinator) => hammer(coordinator, key));
  for (const load of loads) await load.until(200);
  (await proxy.promise).set("stall");
  await revokeInStore(cluster, key);
  const atMs = performance.now();
  for (const load of loads) await load.until(503);
  (await proxy.promise).set("pass");
  for (const load of loads) await load.until(401);
  for (const load of loads) await load.stop();
  for (const load of loads) {
    expect(load.openedForMs(atMs)).toBeLessThan(WITHIN_MS);
    expect(load.refusalsNameATime()).toBe(true);
    expect(load.statuses()).toEqual(new Set([200, 401, 503]));
  }
});

test("a restart of etcd costs its callers no more than a 503 with Retry-After", async () => {
  await using cluster = await startCluster({ coordinators: 1, agents: 0 });
  const [coordinator] = cluster.coordinators;
  if (coordinator === undefined) throw new Error("one coordinator was started");
  const load = hammer(coordinator, await newKey(cluster));
  await load.until(200);
  await cluster.etcd.kill();
  await cluster.etcd.start();
  const atMs = performance.now();
  await expect.poll(() => load.openedForMs(atMs), { timeout: 90_000, interval: 20 }).toBeGreaterThan(0);
  await load.stop();
  expect(load.refusalsNameATime()).toBe(true);
  for (const status of load.statuses()) expect([200, 503]).toContain(status);
});

/** As another coordinator would, that reaches etcd on a separate connection. */
async function revokeInStore(cluster: Cluster, { key_id: id }: NewKey): Promise<void> {
  const log = createLog({ name: "test", level: "silent" });
  const kv = connectEtcd({ endpoints: [cluster.etcd.endpoint], log });
  const store = await openStore({ kv, clock: systemClock, log });
  try {
    const revoking = async (): Promise<string> => {
      const key = await store.get("access-keys", id);
      if (key === null) throw new Error("no key");
      const after: AccessKey = revoked(key.value, Date.now());
      return (await store.commit([replace("access-keys", key, after)])).kind;
    };
    // Its last use may come in between.
    await expect.poll(revoking).toBe("committed");
  } finally {
    await store.close();
    await kv.close();
  }
}
