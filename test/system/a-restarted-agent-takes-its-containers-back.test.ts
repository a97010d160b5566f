import { containersOf } from "@elastic/deploy/local/node-containers.ts";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";

const noEngine = await whyNoEngineHere();

test.skipIf(noEngine !== null)(
  "after kill -9 an agent takes back the container that serves, and removes what nobody wants",
  async () => {
    await using cluster = await startCluster({ engine: true });
    const client = cluster.client();
    const { engine, coordinators, agents } = cluster;
    const [agent] = agents;
    const [coordinator] = coordinators;
    if (engine === null || agent === undefined || coordinator === undefined)
      throw new Error("the cluster has one of each");
    const running = async () => (await containersOf(engine.socket, agent.nodeId)).map(({ Id }) => Id);
    const image = await cluster.publish("misbehave");
    const { service_id: stays } = await client.readyService("stays", { image, env: { MISBEHAVE: "echo" } });
    const [kept] = await running();
    const { service_id: goes } = await client.readyService("goes", { image, env: { MISBEHAVE: "echo" } });
    expect(await running()).toHaveLength(2);

    await agent.kill();
    expect(await running()).toHaveLength(2);
    expect((await client.call(`/v1/services/${goes}`, { method: "DELETE" })).status).toBe(204);
    await agent.start();

    expect((await client.prove(stays, '"again"')).result).toBe("again");
    await expect.poll(running, { timeout: 90_000 }).toEqual([kept]);
  },
);

test.skipIf(noEngine !== null)("a task whose agent is killed while its container works is proved again", async () => {
  await using cluster = await startCluster({ engine: true });
  const client = cluster.client();
  const [agent] = cluster.agents;
  if (agent === undefined) throw new Error("the cluster has an agent");
  const image = await cluster.publish("misbehave");
  const { service_id } = await client.readyService("sleeps", { image, env: { MISBEHAVE: "sleep" } });
  const task = await client.postTask(service_id, '{"ms":3000}');
  await expect.poll(async () => (await client.task(task.task_id)).phase, { timeout: 90_000 }).toBe("running");
  await agent.kill();
  await agent.start();
  expect(await client.ended(task.task_id)).toMatchObject({ state: "SUCCESS", result: "slept", attempt: 2 });
});
