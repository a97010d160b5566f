import { expect, test } from "vitest";
import { shiftedClocks } from "../cluster/shifted-clocks.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { loggedAt } from "../scenario/agent-log.ts";
import { startScenario } from "../scenario/scenario.ts";

const HOUR_MS = 3_600_000;
const STEPPED_MS = 15_000;

test("no node is lost, no proof is repeated, and the times of tasks are those of the coordinator", async () => {
  using folder = makeWorkFolder();
  const clocks = shiftedClocks(folder.path);
  await using run = await startScenario({ agentSettings: clocks.aheadBy(0) });
  const [agent] = run.cluster.agents;
  const [line] = run.lines.toCoordinators;
  if (agent === undefined || line === undefined) throw new Error("an agent was started");
  await run.fault(async () => {
    clocks.shift(agent, -HOUR_MS);
    await run.lasts(STEPPED_MS);
    // So that it logs something, with its time.
    line.reset();
    await expect.poll(() => loggedAt(agent, "link lost").length).toBeGreaterThan(0);
    expect(Date.now() - (loggedAt(agent, "link lost")[0] ?? 0)).toBeGreaterThan(HOUR_MS - 1_000);
  });
  const { accepted, attemptsMax, requeues } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(50);
  expect({ attemptsMax, requeues }).toEqual({ attemptsMax: 1, requeues: [] });
});
