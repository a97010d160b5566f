import { expect, test } from "vitest";
import { startBucket } from "../scenario/bucket.ts";
import { startScenario } from "../scenario/scenario.ts";

const LARGE = JSON.stringify("x".repeat(64 * 1024));
const AWAY_MS = 5_000;

test("a large result is 503 with Retry-After, a large input is refused, and both work once the store is back", async () => {
  await using bucket = await startBucket();
  await using run = await startScenario({
    coordinatorSettings: bucket.settings,
    agentSettings: { ELASTIC_SLOTS: "3" },
  });
  const client = run.cluster.client();
  const { service_id: echo } = await client.readyService("echo", { image: "builtin:echo" });
  const { task_id } = await client.prove(echo, LARGE);
  const create = () =>
    client.call(`/v1/services/${echo}`, {
      method: "POST",
      body: `{"input":${LARGE}}`,
      headers: { "content-type": "application/json" },
    });
  await run.fault(async () => {
    bucket.line.set("cut");
    for (const response of [await client.call(`/v1/tasks/${task_id}/result`), await create()]) {
      expect(response).toMatchObject({ status: 503, json: { code: "blobs_unavailable" } });
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const { json } = await client.call(`/v1/tasks?service_id=${echo}`);
    expect(JSON.stringify(json)).toContain('"state":"SUCCESS"');
    await run.lasts(AWAY_MS);
    bucket.line.set("pass");
  });
  expect(await client.task(task_id)).toMatchObject({ state: "SUCCESS", result: JSON.parse(LARGE) });
  expect(await client.prove(echo, LARGE)).toMatchObject({ state: "SUCCESS" });
  const { accepted, refusals, attemptsMax } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(20);
  expect({ refusals: [...refusals], attemptsMax }).toEqual({ refusals: [], attemptsMax: 1 });
});
