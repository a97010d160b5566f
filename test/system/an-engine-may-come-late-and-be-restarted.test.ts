import { containersOf } from "@elastic/deploy/local/node-containers.ts";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { startOwnEngine, whyNoEngineHere } from "../cluster/engine.ts";

const noEngine = await whyNoEngineHere();
const WAIT = { timeout: 90_000 };
/** Longer than it takes an engine to end its containers. */
const RUN = '{"ms":10000}';

test.skipIf(noEngine !== null)(
  "an engine that comes up after the agent is used, and one that is stopped in order takes no attempt along",
  { timeout: 240_000 },
  async () => {
    await using engine = await startOwnEngine();
    await using cluster = await startCluster({ engine, agents: 0 });
    const client = cluster.client();
    const image = await cluster.publish("misbehave");
    await engine.stop();

    const agent = await cluster.addAgent();
    const logged = () => agent.child().tail(2_000);
    expect(logged()).toContain("no container engine responds");
    const metrics = async () => await (await fetch(agent.metricsUrl())).text();
    expect(await metrics()).toMatch(/^elastic_agent_engines 0$/m);
    expect(await metrics()).toMatch(/^elastic_agent_certificate_ends_timestamp_seconds \d{10}$/m);
    const { service_id } = await client.createService("sleeps");
    await client.deploy(service_id, { image, env: { MISBEHAVE: "sleep" } });
    await engine.start();
    await client.serviceIs(service_id, "Ready");
    expect(await client.prove(service_id, '{"ms":1}')).toMatchObject({ state: "SUCCESS", result: "slept" });

    expect(await metrics()).toMatch(/^elastic_agent_engines 1$/m);

    const inFlight = await client.postTask(service_id, RUN);
    await expect.poll(async () => (await client.task(inFlight.task_id)).phase, WAIT).toBe("running");
    await engine.stop();
    // The container went with it: the task waits, and no attempt of its three was the prover's or the machine's fault.
    await expect.poll(async () => (await client.task(inFlight.task_id)).phase, WAIT).toBe("queued");
    // An engine that is ending may yet start it once more, and end that too.
    const outcomes = (await metrics()).match(/^elastic_agent_attempts_total.* [1-9]\d*$/gm);
    expect(outcomes).toEqual([
      'elastic_agent_attempts_total{outcome="succeeded"} 1',
      expect.stringMatching(/^elastic_agent_attempts_total\{outcome="node_lost"\} [12]$/),
    ]);
    // What needs no engine continues without one.
    const echo = await client.readyService("echo", { image: "builtin:echo" });
    expect(await client.prove(echo.service_id, '{"n":1}')).toMatchObject({ state: "SUCCESS" });
    await engine.start();
    const proved = await client.ended(inFlight.task_id);
    expect(proved).toMatchObject({ state: "SUCCESS", result: "slept" });
    expect([2, 3]).toContain(proved.attempt);
    expect(agent.child().exit()).toBeNull();
    await expect.poll(async () => (await containersOf(engine.socket, agent.nodeId)).length, WAIT).toBe(1);
  },
);
