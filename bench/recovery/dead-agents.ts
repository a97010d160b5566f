/** How long what ran on an agent that died waits until it is given to another. */
import { until } from "@elastic/deploy/local/until.ts";
import type { Agent } from "@elastic/test/cluster/agent.ts";
import type { ApiClient } from "@elastic/test/cluster/api-client.ts";
import type { Cluster } from "@elastic/test/cluster/cluster.ts";

const WITHIN = { timeoutMs: 60_000, everyMs: 10 };
const LONG_MS = 3_600_000;

export const DEATHS = ["killed", "frozen"] as const;
export type Death = (typeof DEATHS)[number];

const DEATH: Readonly<Record<Death, { begin(agent: Agent): Promise<void>; end(agent: Agent): Promise<unknown> }>> = {
  killed: { begin: (agent) => agent.kill(), end: (agent) => agent.start() },
  frozen: { begin: (agent) => agent.pause(), end: async (agent) => agent.resume() },
};

/** Seconds until the task that ran there is queued again, or runs elsewhere: of each death. The cluster has one agent. */
export async function measureDeaths(
  cluster: Cluster,
  { death, rounds }: { readonly death: Death; readonly rounds: number },
  log: (text: string) => void,
): Promise<readonly number[]> {
  const [agent] = cluster.agents;
  if (agent === undefined) throw new Error("there is no agent");
  const client = cluster.client();
  const seconds: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const { service_id } = await client.readyService(`sleep-${death}-${round}`, { image: "builtin:sleep" });
    const { task_id } = await client.postTask(service_id, JSON.stringify({ ms: LONG_MS }));
    await until("the task to run", () => runs(client, task_id), WITHIN);
    await DEATH[death].begin(agent);
    const atMs = performance.now();
    await until("the task to be queued", async () => !(await runs(client, task_id)) || undefined, WITHIN);
    seconds.push((performance.now() - atMs) / 1000);
    log(`agent ${death}, ${round}/${rounds}: ${seconds.at(-1)?.toFixed(2)} s`);
    await DEATH[death].end(agent);
    await client.deleteServices();
  }
  return seconds;
}

/** In its first attempt. */
async function runs(client: ApiClient, taskId: string): Promise<true | undefined> {
  const { phase, attempt } = await client.task(taskId);
  return (phase === "running" && attempt === 1) || undefined;
}
