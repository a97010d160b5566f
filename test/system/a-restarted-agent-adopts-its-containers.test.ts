import { containersOf } from "@elastic/deploy/local/node-containers.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Agent } from "../cluster/agent.ts";
import type { ApiClient } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";

const noEngine = await whyNoEngineHere();

let cluster: Cluster;
let client: ApiClient;
let agent: Agent;
let image: string;

beforeAll(async () => {
  if (noEngine !== null) return;
  cluster = await startCluster({ engine: true });
  client = cluster.client();
  const [theAgent] = cluster.agents;
  if (theAgent === undefined) throw new Error("the cluster has an agent");
  agent = theAgent;
  image = await cluster.publish("misbehave");
});
afterEach(() => client?.deleteServices());
afterAll(() => cluster?.[Symbol.asyncDispose]());

test.skipIf(noEngine !== null)(
  "after kill -9 an agent takes back the container that serves, and removes what nobody wants",
  async () => {
    const running = async () => (await containersOf(cluster.engine?.socket ?? "", agent.nodeId)).map(({ Id }) => Id);
    const { service_id: stays } = await client.readyService("stays", { image, env: { MISBEHAVE: "echo" } });
    const [adopted] = await running();
    const { service_id: goes } = await client.readyService("goes", { image, env: { MISBEHAVE: "echo" } });
    expect(await running()).toHaveLength(2);

    await agent.kill();
    expect(await running()).toHaveLength(2);
    expect((await client.call(`/v1/services/${goes}`, { method: "DELETE" })).status).toBe(204);
    await agent.start();

    expect((await client.prove(stays, '"again"')).result).toBe("again");
    await expect.poll(running, { timeout: 90_000 }).toEqual([adopted]);
  },
);

test.skipIf(noEngine !== null)("a task whose agent is killed while its container works is proved again", async () => {
  const { service_id } = await client.readyService("sleeps", { image, env: { MISBEHAVE: "sleep" } });
  const task = await client.postTask(service_id, '{"ms":3000}');
  await expect.poll(async () => (await client.task(task.task_id)).phase, { timeout: 90_000 }).toBe("running");
  await agent.kill();
  await agent.start();
  expect(await client.ended(task.task_id)).toMatchObject({ state: "SUCCESS", result: "slept", attempt: 2 });
});
