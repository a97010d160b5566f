import { expect, test } from "vitest";
import { startScenario } from "../scenario/scenario.ts";

const AWAY_MS = 5_000;

test("503 while the registry is down, and 422 for an image that it has not once it is back", async () => {
  await using run = await startScenario({ registry: true, agentSettings: { ELASTIC_SLOTS: "3" } });
  const { registry, firstKey } = run.cluster;
  if (registry === null) throw new Error("a registry was started");
  const client = run.cluster.client();
  const { service_id: echo } = await client.readyService("echo", { image: "builtin:echo" });
  const deploy = () =>
    client.call(`/v1/services/${echo}/deployments`, {
      method: "POST",
      body: JSON.stringify({ image: `${registry.host}/${firstKey.teamId}/prover:1` }),
      headers: { "content-type": "application/json" },
    });
  await run.fault(async () => {
    await registry.kill();
    const refused = await deploy();
    expect(refused).toMatchObject({ status: 503, json: { code: "registry_unavailable" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await client.prove(echo, '"on"')).toMatchObject({ state: "SUCCESS", result: "on" });
    await run.lasts(AWAY_MS);
    await registry.start();
    expect(await deploy()).toMatchObject({ status: 422, json: { code: "image_not_found" } });
  });
  expect(await client.prove(echo, '"still"')).toMatchObject({ state: "SUCCESS", result: "still" });
  const { refusals, attemptsMax } = await run.verdict();
  expect({ refusals: [...refusals], attemptsMax }).toEqual({ refusals: [], attemptsMax: 1 });
});
