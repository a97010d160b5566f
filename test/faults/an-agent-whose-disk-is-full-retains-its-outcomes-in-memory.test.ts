import { join } from "node:path";
import { expect, test } from "vitest";
import { smallDisk } from "../cluster/small-disk.ts";
import { loggedAt } from "../scenario/agent-log.ts";
import { startScenario } from "../scenario/scenario.ts";

/** Shorter than the agent's fence. */
const UNREACHED_MS = 7_000;

test("no coordinator responds and nothing can be spooled: the outcomes are reported later, and nothing is repeated", async () => {
  using disk = smallDisk("16m");
  await using run = await startScenario({
    agents: 1,
    agentSettings: { ELASTIC_STATE_DIR: join(disk.path, "state") },
  });
  const [agent] = run.cluster.agents;
  const [line] = run.lines.toCoordinators;
  if (agent === undefined || line === undefined) throw new Error("an agent was started");
  await run.fault(async () => {
    expect(disk.fill()).toBeGreaterThan(0);
    line.set("black-hole");
    await run.lasts(UNREACHED_MS);
    expect(loggedAt(agent, "an outcome could not be spooled").length).toBeGreaterThan(0);
    line.set("pass");
    line.reset();
    disk.free();
  });
  const { attemptsMax, requeues } = await run.verdict();
  expect({ attemptsMax, requeues }).toEqual({ attemptsMax: 1, requeues: [] });
});
