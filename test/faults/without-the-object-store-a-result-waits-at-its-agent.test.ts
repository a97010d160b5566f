import { expect, test } from "vitest";
import { lineThatRefuses } from "../scenario/bad-lines.ts";
import { startBucket } from "../scenario/bucket.ts";
import { startScenario } from "../scenario/scenario.ts";

const LARGE = JSON.stringify("x".repeat(64 * 1024));
const REFUSED_MIN = 3;

test("an upload is tried again until the store accepts it, and the proof is not repeated; small tasks run on", async () => {
  await using bucket = await startBucket();
  await using run = await startScenario({
    agents: 1,
    coordinatorSettings: bucket.settings,
    agentSettings: { ELASTIC_SLOTS: "3" },
  });
  const client = run.cluster.client();
  const [agent] = run.cluster.agents;
  if (agent === undefined) throw new Error("an agent was started");
  const { service_id: echo } = await client.readyService("echo", { image: "builtin:echo" });
  const refusing = lineThatRefuses("PUT /");
  await run.fault(async () => {
    // The input is stored before, and the result comes after.
    await agent.pause();
    const { task_id } = await client.postTask(echo, LARGE);
    bucket.line.treat(refusing.treatment);
    agent.resume();
    await expect.poll(refusing.count, { timeout: 30_000 }).toBeGreaterThan(REFUSED_MIN);
    expect(await client.task(task_id)).toMatchObject({ state: "PENDING", attempt: 1 });
    bucket.line.treat(null);
    const task = await client.ended(task_id);
    expect(task).toMatchObject({ state: "SUCCESS", attempt: 1, result: JSON.parse(LARGE) });
  });
  const { accepted, attemptsMax } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(5);
  expect(attemptsMax).toBe(1);
});
