import { containersOf } from "@elastic/deploy/local/node-containers.ts";
import Docker from "dockerode";
import { expect, test } from "vitest";
import { startOwnEngine, whyNoEngineHere } from "../cluster/engine.ts";
import { startScenario } from "../scenario/scenario.ts";

const AWAY_MS = 5_000;

const noEngine = await whyNoEngineHere();

test.skipIf(noEngine !== null)(
  "while the registry is down its container proves, and is started again where it was killed",
  async () => {
    await using engine = await startOwnEngine();
    await using run = await startScenario({ agents: 1, engine, agentSettings: { ELASTIC_SLOTS: "3" } });
    const { registry, agents } = run.cluster;
    const [agent] = agents;
    if (registry === null || agent === undefined) throw new Error("a registry and an agent were started");
    const client = run.cluster.client();
    const image = await run.cluster.publish("misbehave");
    const { service_id } = await client.readyService("sleeps", { image, env: { MISBEHAVE: "sleep" } });
    const containers = async () => (await containersOf(engine.socket, agent.nodeId)).map(({ Id }) => Id);
    await run.fault(async () => {
      await registry.kill();
      expect(await client.prove(service_id, '{"ms":1}')).toMatchObject({ state: "SUCCESS", attempt: 1 });
      const [container = ""] = await containers();
      await new Docker({ socketPath: engine.socket }).getContainer(container).kill();
      await run.lasts(AWAY_MS);
      expect(await client.prove(service_id, '{"ms":1}')).toMatchObject({ state: "SUCCESS", result: "slept" });
      expect(await containers()).not.toContain(container);
      await registry.start();
    });
    const { refusals, attemptsMax } = await run.verdict();
    expect({ refusals: [...refusals], attemptsMax }).toEqual({ refusals: [], attemptsMax: 1 });
  },
);
