import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiClient, ApiResponse } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { prepareFlood } from "./flood.ts";

/** From the moment etcd is away to a refusal. */
const REFUSAL_TIMEOUT_MS = 15_000;

const OUTAGES: Readonly<
  Record<string, { begin(cluster: Cluster): Promise<void>; end(cluster: Cluster): Promise<void> }>
> = {
  "killed with SIGKILL": {
    begin: ({ etcd }) => etcd.kill(),
    end: async ({ etcd }) => void (await etcd.start()),
  },
  frozen: {
    begin: ({ etcd }) => etcd.pause(),
    end: async ({ etcd }) => etcd.resume(),
  },
};

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ agents: 2 });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

test.each(Object.entries(OUTAGES))(
  "while etcd is %s a create is refused, and nothing acknowledged is lost",
  async (_name, outage) => {
    const client = cluster.client();
    const { service_id: echo } = await client.readyService("echo", { image: "builtin:echo" });
    const flood = await prepareFlood(cluster, () => client);
    flood.post(50);
    await flood.inFlight(40);
    await outage.begin(cluster);
    expectRefusal(await create(client, echo));
    await outage.end(cluster);
    const task = await expect
      .poll(async () => (await create(client, echo)).status, { timeout: 90_000 })
      .toBe(201)
      .then(() => client.prove(echo, '"after"'));
    expect(task.result).toBe("after");
    const tasks = await flood.ended();
    expect(tasks.filter(({ state }) => state !== "SUCCESS")).toEqual([]);
    expect(await flood.violations()).toEqual([]);
    await client.deleteServices();
  },
);

function create(client: ApiClient, serviceId: string): Promise<ApiResponse> {
  return client.call(`/v1/services/${serviceId}`, {
    method: "POST",
    body: '{"input":1}',
    headers: { "content-type": "application/json" },
    timeoutMs: REFUSAL_TIMEOUT_MS,
  });
}

function expectRefusal(response: ApiResponse): void {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  expect(response.json).toMatchObject({ status: 503, code: "store_unavailable", detail: expect.any(String) });
}
