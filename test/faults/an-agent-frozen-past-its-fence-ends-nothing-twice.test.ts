import { expect, test } from "vitest";
import { startScenario } from "../scenario/scenario.ts";

const FROZEN_MS = 22_000;
/** A node is lost 13 s after it was last seen, at most one heartbeat of 3 s before it froze. */
const REQUEUED_AFTER_MS = { least: 9_500, most: 20_000 };

test("what it ran is proved elsewhere once it is lost, and what it reports when it wakes counts for nothing", async () => {
  await using run = await startScenario();
  const [agent] = run.cluster.agents;
  if (agent === undefined) throw new Error("two agents were started");
  let frozenAt = 0;
  await run.fault(async () => {
    frozenAt = Date.now();
    await agent.pause();
    await run.lasts(FROZEN_MS);
    agent.resume();
  });
  const { accepted, attemptsMax, requeues } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(20);
  expect(attemptsMax).toBe(2);
  expect(requeues.length).toBeGreaterThan(0);
  for (const { at, nodeId, reason } of requeues) {
    expect({ nodeId, reason }).toEqual({ nodeId: agent.nodeId, reason: "node_lost" });
    expect(at - frozenAt).toBeGreaterThan(REQUEUED_AFTER_MS.least);
    expect(at - frozenAt).toBeLessThan(REQUEUED_AFTER_MS.most);
  }
});
