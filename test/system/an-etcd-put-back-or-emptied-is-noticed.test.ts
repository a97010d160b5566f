/** etcd loses what was acknowledged, as by a backup that is put back or a volume that is mounted empty, under two coordinators. */
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { until } from "@elastic/deploy/local/until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import type { Coordinator } from "../cluster/coordinator.ts";
import { makeFirstKey } from "../cluster/first-key.ts";

/** From the moment etcd serves again. */
const NOTICED_WITHIN_MS = 5_000;
const READY_WITHIN_MS = 20_000;
const SLOWLY = { timeout: 180_000 };

let cluster: Cluster;
// Each test ends with both coordinators serving the store as it is then.
beforeAll(async () => {
  cluster = await startCluster({ coordinators: 2 });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** Kills etcd, does something with the folder of its data, and starts it on the same address. */
async function whileKilled(act: (dataDir: string) => void): Promise<void> {
  await cluster.etcd.kill();
  act(cluster.etcd.dataDir);
  await cluster.etcd.start();
}

interface Unready {
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** What `/readyz` says is to be done, once it does. */
function advice({ url }: Coordinator): Promise<string> {
  const look = async () => {
    const body = (await (await fetch(`${url}/readyz`)).json()) as Unready;
    return body.errors?.find(({ detail }) => detail.includes("--accept-store"))?.detail;
  };
  return until(`${url}/readyz names what to do`, look, { timeoutMs: NOTICED_WITHIN_MS, everyMs: 50 });
}

async function becomesReady({ url }: Coordinator): Promise<void> {
  const look = async () => (await fetch(`${url}/readyz`)).ok || undefined;
  await until(`${url}/readyz is 200`, look, { timeoutMs: READY_WITHIN_MS, everyMs: 50 });
}

async function expectRefusals(coordinator: Coordinator, serviceId: string): Promise<void> {
  const client = cluster.client(coordinator);
  const json = { "content-type": "application/json" };
  const responses = [
    await client.call("/v1/services"),
    await client.call(`/v1/services/${serviceId}`),
    await client.call("/v1/tasks"),
    await client.call("/v1/services", { method: "POST", body: '{"service_name":"late"}', headers: json }),
    await client.call(`/v1/services/${serviceId}`, { method: "POST", body: '{"input":1}', headers: json }),
  ];
  for (const { status, json } of responses) {
    expect([status, (json as { readonly code: string }).code]).toEqual([503, "store_changed"]);
  }
}

async function expectMetric({ metricsUrl }: Coordinator, value: number): Promise<void> {
  const text = await (await fetch(metricsUrl)).text();
  expect(/^elastic_store_changed (\d)$/m.exec(text)?.[1]).toBe(String(value));
}

/** Lines of the level `error` that say what happened to etcd. */
function loggedErrors({ name }: Coordinator): readonly string[] {
  const lines = readFileSync(join(cluster.folder, `${name}.log`), "utf8").split("\n");
  return lines.filter((line) => line.startsWith('{"level":50,') && line.includes("etcd does not hold the state"));
}

function twoOf({ coordinators: [one, two] }: Cluster): readonly [Coordinator, Coordinator] {
  if (one === undefined || two === undefined) throw new Error("two coordinators were started");
  return [one, two];
}

/** One is refused without the acceptance, and starts with it; the other needs none. */
async function restartAccepting(epoch: number): Promise<void> {
  const [one, two] = twoOf(cluster);
  await one.kill();
  await expect(one.start()).rejects.toThrow(`--accept-store ${epoch} (ELASTIC_ACCEPT_STORE=${epoch})`);
  await one.startWith({ ELASTIC_ACCEPT_STORE: String(epoch) });
  await two.kill();
  await two.start();
  for (const coordinator of [one, two]) {
    await becomesReady(coordinator);
    await expectMetric(coordinator, 0);
  }
}

test(
  "serves and writes nothing once an older copy of etcd was put back, and continues with it once that is accepted",
  SLOWLY,
  async () => {
    const copy = join(cluster.folder, "etcd-copy");
    const client = cluster.client();
    const kept = await client.readyService("kept", { image: "builtin:echo" });
    await whileKilled((dataDir) => cpSync(dataDir, copy, { recursive: true }));
    for (const coordinator of cluster.coordinators) await becomesReady(coordinator);
    const lost = await client.readyService("lost", { image: "builtin:echo" });
    await client.prove(lost.service_id, '"before"');

    await whileKilled((dataDir) => {
      rmSync(dataDir, { recursive: true });
      cpSync(copy, dataDir, { recursive: true });
    });
    for (const coordinator of cluster.coordinators) {
      expect(await advice(coordinator)).toMatch(/went back from \d+ to \d+.*--accept-store 2 /);
      await expectRefusals(coordinator, lost.service_id);
      await expectMetric(coordinator, 1);
    }
    for (const coordinator of cluster.coordinators) await expect.poll(() => loggedErrors(coordinator)).toHaveLength(1);

    await restartAccepting(2);
    expect((await client.call(`/v1/services/${lost.service_id}`)).status).toBe(404);
    expect((await client.prove(kept.service_id, '"after"')).result).toBe("after");
  },
);

test("serves and writes nothing once etcd was emptied, and starts again once that is accepted", SLOWLY, async () => {
  const { service_id } = await cluster.client().readyService("gone", { image: "builtin:echo" });
  await whileKilled((dataDir) => rmSync(dataDir, { recursive: true }));
  for (const coordinator of cluster.coordinators) {
    await advice(coordinator);
    await expectRefusals(coordinator, service_id);
    await expectMetric(coordinator, 1);
  }
  await restartAccepting(3);
  const [{ url }] = twoOf(cluster);
  expect((await cluster.client().call("/v1/services")).status).toBe(401);
  const { key } = await makeFirstKey({ endpoints: [cluster.etcd.endpoint] }, { user: "tester", team: "research" });
  const client = apiClient({ url, key });
  const fresh = await client.readyService("fresh", { image: "builtin:echo" });
  expect((await client.prove(fresh.service_id, '"after"')).result).toBe("after");
});
