import { containersOf } from "@elastic/deploy/local/node-containers.ts";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { startOwnEngine, whyNoEngineHere } from "../cluster/engine.ts";

const noEngine = await whyNoEngineHere();

test.skipIf(noEngine !== null)(
  "after kill -9 of the container engine the task in flight is proved again, and the next one too",
  async () => {
    await using engine = await startOwnEngine();
    await using cluster = await startCluster({ engine });
    const client = cluster.client();
    const [agent] = cluster.agents;
    if (agent === undefined) throw new Error("the cluster has an agent");
    const containers = async () => (await containersOf(engine.socket, agent.nodeId)).map(({ Id }) => Id);
    const image = await cluster.publish("misbehave");
    const { service_id } = await client.readyService("sleeps", { image, env: { MISBEHAVE: "sleep" } });
    const [before] = await containers();

    const inFlight = await client.postTask(service_id, '{"ms":8000}');
    await expect.poll(async () => (await client.task(inFlight.task_id)).phase, { timeout: 90_000 }).toBe("running");
    await engine.kill();
    await engine.start();

    expect(await client.prove(service_id, '{"ms":1}')).toMatchObject({ state: "SUCCESS", result: "slept" });
    expect(await client.ended(inFlight.task_id)).toMatchObject({ state: "SUCCESS", result: "slept", attempt: 2 });
    // What the engine took along is not left lying about.
    await expect.poll(containers, { timeout: 90_000 }).toEqual([expect.not.stringMatching(before ?? "")]);
  },
);
