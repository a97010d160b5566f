/** An agent whose packets vanish in one direction or both, for longer than its work may stay with it. */
import { expect } from "vitest";
import { abandonedAt } from "./agent-log.ts";
import { cutOff } from "./packets.ts";
import { startScenario } from "./scenario.ts";

/** A node is lost 13 s after it was last seen; where it is seen and does not know, only once its link has ended. */
const CUT_OFF_MS = 30_000;

export async function isolateAgent(directions: readonly ("incoming" | "outgoing")[]): Promise<void> {
  await using run = await startScenario({ machines: 1 });
  const [agent] = run.cluster.agents;
  const [machine] = run.lines.machines;
  if (agent === undefined || machine === undefined) throw new Error("an agent was started on a machine");
  await run.fault(async () => {
    const cut = await cutOff(machine, directions);
    await run.lasts(CUT_OFF_MS);
    expect(await cut.dropped()).toBeGreaterThan(0);
    await cut.heal();
  });
  const { accepted, requeues } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(20);
  expect(requeues.length).toBeGreaterThan(0);
  const abandoned = abandonedAt(agent);
  for (const { at, nodeId, reason } of requeues) {
    expect({ nodeId, reason }).toEqual({ nodeId: agent.nodeId, reason: "node_lost" });
    expect(at).toBeGreaterThan(abandoned ?? Number.POSITIVE_INFINITY);
  }
  const node = async () => (await run.cluster.client().call(`/v1/nodes/${agent.nodeId}`)).json;
  await expect.poll(node, { timeout: 30_000 }).toMatchObject({ state: "READY" });
}
