import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders } from "../../agent/testing/temporary-folder.ts";
import { startScenario } from "../scenario/scenario.ts";

afterAll(removeTemporaryFolders);

/** The other leads after its lease, and then the node has to be silent for 13 s. */
const FROZEN_MS = 25_000;
const TAKE_OVER_MS_MAX = 10_000;

test("whoever leads next notices the dead machine, and its tasks are proved on the other one", async () => {
  await using run = await startScenario({ coordinators: 2, gpus: 2, ledgers: true });
  const { leader, others } = await run.roles();
  const [other] = others;
  const [agent] = run.cluster.agents;
  if (other === undefined || agent === undefined) throw new Error("two of each were started");
  await run.fault(async () => {
    run.callersGoTo([other]);
    await Promise.all([leader.pause(), agent.kill()]);
    await run.leads(other, TAKE_OVER_MS_MAX);
    await run.lasts(FROZEN_MS);
    leader.resume();
    await agent.start();
  });
  run.callersGoTo(run.cluster.coordinators);
  const { attemptsMax, executions, requeues } = await run.verdict();
  expect(executions).toBeGreaterThan(run.accepted());
  expect(attemptsMax).toBe(2);
  expect(requeues.length).toBeGreaterThan(0);
  for (const { nodeId, reason } of requeues) {
    expect({ nodeId, reason }).toEqual({ nodeId: agent.nodeId, reason: "node_lost" });
  }
});
