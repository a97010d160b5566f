import { expect, test } from "vitest";
import { startScenario } from "../scenario/scenario.ts";

const STARVED_MS = 25_000;
const STOPPED_MS = 950;
const RUNS_MS = 50;

test("an agent that runs 50 ms of each second sends its heartbeats and reports, and no proof is repeated", async () => {
  await using run = await startScenario();
  const [agent] = run.cluster.agents;
  if (agent === undefined) throw new Error("two agents were started");
  await run.fault(async () => {
    const endsAtMs = performance.now() + STARVED_MS;
    while (performance.now() < endsAtMs) {
      await agent.pause();
      await run.lasts(STOPPED_MS);
      agent.resume();
      await run.lasts(RUNS_MS);
    }
  });
  const { accepted, attemptsMax, requeues } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(50);
  expect({ attemptsMax, requeues }).toEqual({ attemptsMax: 1, requeues: [] });
});
