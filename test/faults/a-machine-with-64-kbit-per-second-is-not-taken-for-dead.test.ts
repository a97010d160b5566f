import { expect, test } from "vitest";
import { limitSending } from "../scenario/packets.ts";
import { startScenario } from "../scenario/scenario.ts";

const LIMITED_MS = 25_000;
/** Each upload of it takes five seconds and more. */
const LARGE = JSON.stringify("x".repeat(40 * 1024));
const UPLOADS = 6;

test("results of six proofs go over that line, heartbeats and reports come in time, and no proof is repeated", async () => {
  await using run = await startScenario({ machines: 1, agentSettings: { ELASTIC_SLOTS: "3" } });
  const [machine] = run.lines.machines;
  if (machine === undefined) throw new Error("an agent was started on a machine");
  const client = run.cluster.client();
  const scaling = { min: 2, max: 2 };
  const { service_id: echo } = await client.readyService("echo", { image: "builtin:echo", scaling });
  const large: string[] = [];
  await run.fault(async () => {
    const limit = await limitSending(machine, "64kbit");
    for (let count = 0; count < UPLOADS; count += 1) large.push((await client.postTask(echo, LARGE)).task_id);
    await run.lasts(LIMITED_MS);
    expect(await limit.held()).toBeGreaterThan(10);
  });
  for (const id of large) expect(await client.ended(id)).toMatchObject({ state: "SUCCESS", attempt: 1 });
  const { accepted, attemptsMax, requeues } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(50);
  expect({ attemptsMax, requeues }).toEqual({ attemptsMax: 1, requeues: [] });
});
