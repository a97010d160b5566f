/** etcd without room for writes, as its NOSPACE alarm has it: what is there is served, also by what starts meanwhile. */
import { until } from "@elastic/deploy/local/until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";

/** A coordinator that only reads writes its own entry so often. */
const NOTICED_WITHIN_MS = 20_000;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ coordinators: 2 });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function maintain(what: string, body: object): Promise<{ readonly header: { readonly member_id: string } }> {
  const url = `${cluster.etcd.endpoint}/v3/maintenance/${what}`;
  return (await (await fetch(url, { method: "POST", body: JSON.stringify(body) })).json()) as never;
}

async function setFull(isFull: boolean): Promise<void> {
  const { header } = await maintain("status", {});
  const action = isFull ? "ACTIVATE" : "DEACTIVATE";
  await maintain("alarm", { action, memberID: header.member_id, alarm: "NOSPACE" });
}

async function allAreReady(status: number): Promise<void> {
  for (const { url } of cluster.coordinators) {
    const look = async () => (await fetch(`${url}/readyz`)).status === status || undefined;
    await until(`${url}/readyz is ${status}`, look, { timeoutMs: NOTICED_WITHIN_MS, everyMs: 100 });
  }
}

test("serves reads from a full store after a restart, says so at every coordinator, and writes once there is room", async () => {
  const client = cluster.client();
  const { service_id } = await client.readyService("echo", { image: "builtin:echo" });
  const { task_id, result } = await client.prove(service_id, '{"n":1}');

  await setFull(true);
  await allAreReady(503);
  for (const coordinator of cluster.coordinators) {
    await coordinator.kill();
    await coordinator.start();
    const restarted = cluster.client(coordinator);
    expect((await restarted.task(task_id)).result).toBe(result);
    const refused = await restarted.call("/v1/services", {
      method: "POST",
      body: '{"service_name":"late"}',
      headers: { "content-type": "application/json" },
    });
    expect([refused.status, (refused.json as { readonly code: string }).code]).toEqual([503, "store_unavailable"]);
  }
  await allAreReady(503);

  await setFull(false);
  await allAreReady(200);
  expect((await cluster.client().prove(service_id, '{"n":2}')).state).toBe("SUCCESS");
});
