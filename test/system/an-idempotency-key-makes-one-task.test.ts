import { expect, test } from "vitest";
import { type ApiResponse, apiClient } from "../cluster/api-client.ts";
import { startCluster } from "../cluster/cluster.ts";
import { type FaultProxy, startFaultProxy } from "../cluster/fault-proxy.ts";

/** A client abandons a request after this long and repeats it. */
const GIVE_UP_MS = 700;
const TASKS = 20;

interface CreatedTask {
  readonly task_id: string;
  readonly total: number;
}

test("creates one task for each key when clients lose responses and repeat requests, at any coordinator and over a restart", async () => {
  let toEtcd: FaultProxy | undefined;
  await using cluster = await startCluster({
    coordinators: 2,
    agents: 1,
    async etcdThrough(endpoint) {
      toEtcd ??= await startFaultProxy(new URL(endpoint).host);
      return `http://${toEtcd.address}`;
    },
  });
  await using etcdProxy = toEtcd;
  const [one, two] = cluster.coordinators;
  if (one === undefined || two === undefined || etcdProxy === undefined) throw new Error("two coordinators");
  await using proxy = await startFaultProxy(new URL(one.url).host);
  const { key } = cluster.firstKey;
  const lossy = apiClient({ url: `http://${proxy.address}`, key });
  const direct = cluster.client(two);
  const service = await cluster.client(one).readyService("echo", { image: "builtin:echo" });

  const post = (client: typeof direct, n: number, timeoutMs: number): Promise<ApiResponse> =>
    client.call(`/v1/services/${service.service_id}`, {
      method: "POST",
      body: `{"input":{"n":${n}}}`,
      headers: { "content-type": "application/json", "idempotency-key": `task-${n}` },
      timeoutMs,
    });
  /** Repeats a request until a response arrives: the first are lost on their way back. */
  const persist = async (n: number): Promise<string> => {
    for (let tries = 0; ; tries++) {
      const client = tries % 2 === 0 ? lossy : direct;
      const response = await post(client, n, GIVE_UP_MS).catch(() => null);
      if (response?.status === 201) return (response.json as CreatedTask).task_id;
      if (response !== null)
        expect([response.status, response.text]).toEqual([expect.toBeOneOf([409, 503]), response.text]);
    }
  };

  // Every response of the first coordinator is lost: its tasks are created, and no client learns of them.
  proxy.set("drop-responses");
  const lost = await Promise.all(Array.from({ length: TASKS }, (_, n) => post(lossy, n, GIVE_UP_MS).catch(() => null)));
  expect(lost).toEqual(lost.map(() => null));
  expect(proxy.bytesDropped()).toBeGreaterThan(0);
  // And those of etcd for a moment, while clients already repeat their requests.
  const repeating = Array.from({ length: 2 * TASKS }, (_, n) => persist(n));
  const before = etcdProxy.bytesDropped();
  etcdProxy.set("drop-responses");
  await expect.poll(() => etcdProxy.bytesDropped(), { timeout: 90_000, interval: 5 }).toBeGreaterThan(before);
  etcdProxy.reset();
  etcdProxy.set("pass");
  proxy.set("pass");
  proxy.reset();
  const ids = await Promise.all(repeating);
  expect(new Set(ids).size).toBe(2 * TASKS);

  await two.kill();
  await two.start();
  const again = await Promise.all(ids.map((_, n) => post(direct, n, 20_000)));
  expect(again.map(({ status, headers }) => [status, headers.get("idempotent-replayed")])).toEqual(
    ids.map(() => [201, "true"]),
  );
  expect(again.map(({ json }) => (json as CreatedTask).task_id)).toEqual(ids);
  for (const [n, id] of ids.entries()) expect((await direct.ended(id)).result).toBe(`{"n":${n}}`);
  const listed = await direct.call(`/v1/services/${service.service_id}/tasks?size=1`);
  expect((listed.json as CreatedTask).total).toBe(2 * TASKS);
});
