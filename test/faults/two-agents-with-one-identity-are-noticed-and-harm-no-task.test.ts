import { expect, test } from "vitest";
import { startAgent } from "../cluster/agent.ts";
import { makeCertificates } from "../cluster/certificates.ts";
import { loggedAt } from "../scenario/agent-log.ts";
import { startScenario } from "../scenario/scenario.ts";

const TWINS_MS = 15_000;
const SETTINGS = { ELASTIC_BUILTIN_TEST_PROVERS: "1", ELASTIC_SLOTS: "2" };

test("a second agent with the certificate of the first: each reports the other, and every task ends once", async () => {
  await using run = await startScenario();
  const [agent] = run.cluster.agents;
  const [line] = run.lines.toCoordinators;
  if (agent === undefined || line === undefined) throw new Error("an agent was started");
  await run.fault(async () => {
    const { nodeId } = agent;
    const { folder } = run.cluster;
    const tls = makeCertificates(folder).node(nodeId);
    const place = { name: "twin", nodeId, folder, coordinators: [line.address], tls, engineSocket: null };
    const twin = await startAgent({ ...place, settings: SETTINGS });
    await run.lasts(TWINS_MS);
    const text = "another agent uses this node's certificate";
    expect(loggedAt(agent, text).length).toBeGreaterThan(0);
    await twin.stop();
  });
  const { requeues } = await run.verdict();
  expect(requeues.filter(({ nodeId }) => nodeId !== agent.nodeId)).toEqual([]);
  const node = async () => (await run.cluster.client().call(`/v1/nodes/${agent.nodeId}`)).json;
  await expect.poll(node, { timeout: 30_000 }).toMatchObject({ state: "READY" });
});
