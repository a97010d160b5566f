/** A later version has written records, and then demands of all programs that they know it, under two coordinators of this one. */
import { META_KEY } from "@elastic/coordinator/store/keys.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import type { Coordinator } from "../cluster/coordinator.ts";
import { changeRecord, changeValue } from "../cluster/etcd-requests.ts";

/** The store is looked at every ten seconds. */
const LEARNS_WITHIN_MS = 15_000;
const READY_WITHIN_MS = 20_000;
const SLOWLY = { timeout: 120_000 };

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ coordinators: 2 });
}, 120_000);
afterAll(() => cluster?.[Symbol.asyncDispose]());

async function metricOf({ metricsUrl }: Coordinator, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}

async function setMeta(change: object): Promise<void> {
  await changeValue(cluster.etcd.endpoint, META_KEY, (value) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(String(value)), ...change })),
  );
}

test(
  "a task in a phase that nobody here knows is neither listed nor changed, and all else runs on",
  SLOWLY,
  async () => {
    const client = cluster.client();
    const service = await client.readyService("sleep", { image: "builtin:sleep" });
    const task = await client.postTask(service.service_id, '{"ms":600000}');
    await expect.poll(async () => (await client.task(task.task_id)).phase, { timeout: 10_000 }).toBe("running");
    let phase: unknown;
    await changeRecord(cluster.etcd.endpoint, "tasks", task.task_id, (record) => {
      ({ phase } = record as { readonly phase: unknown });
      return { ...record, phase: { kind: "suspended", since: 1 } };
    });
    for (const coordinator of cluster.coordinators) {
      await expect.poll(() => metricOf(coordinator, "elastic_store_unreadable_records")).toBe(1);
      const at = cluster.client(coordinator);
      expect(JSON.stringify((await at.call("/v1/tasks")).json)).not.toContain(task.task_id);
      const one = await at.call(`/v1/tasks/${task.task_id}`);
      expect([one.status, JSON.stringify(one.json)]).toEqual([
        503,
        expect.stringContaining("A later version wrote this"),
      ]);
    }
    const echo = await client.readyService("echo", { image: "builtin:echo" });
    expect(await client.prove(echo.service_id, '"meanwhile"')).toMatchObject({ state: "SUCCESS", attempt: 1 });
    await changeRecord(cluster.etcd.endpoint, "tasks", task.task_id, (record) => ({ ...record, phase }));
    await expect.poll(async () => (await client.task(task.task_id)).phase, { timeout: 10_000 }).toBe("running");
  },
);

test("coordinators learn that they must stop, say why, and do not start again", SLOWLY, async () => {
  await setMeta({ schemaVersion: 2 });
  for (const coordinator of cluster.coordinators) {
    const look = async () => {
      const ready = await fetch(`${coordinator.url}/readyz`);
      const text = await ready.text();
      return text.includes("takes programs that know 2") ? { status: ready.status, text } : undefined;
    };
    const unready = await until("the reason", look, { timeoutMs: LEARNS_WITHIN_MS });
    expect(unready.status).toBe(503);
    expect(unready.text).toContain("Start that later version here instead");
    expect(await metricOf(coordinator, "elastic_store_changed")).toBe(1);
    expect((await cluster.client(coordinator).call("/v1/services")).status).toBe(503);
    await coordinator.kill();
    await expect(coordinator.start()).rejects.toThrow("takes programs that know 2, and this one knows 1");
  }
  await setMeta({ schemaVersion: 1 });
  for (const coordinator of cluster.coordinators) {
    await coordinator.start();
    const look = async () => (await fetch(`${coordinator.url}/readyz`)).ok || undefined;
    await until(`${coordinator.url}/readyz is 200`, look, { timeoutMs: READY_WITHIN_MS });
  }
});
