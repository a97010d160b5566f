/** How long a fleet stands still when the coordinator that leads it is killed. */
import { until } from "@elastic/deploy/local/until.ts";
import type { Cluster } from "@elastic/test/cluster/cluster.ts";
import type { Coordinator } from "@elastic/test/cluster/coordinator.ts";

const WITHIN = { timeoutMs: 60_000, everyMs: 10 };
const LONG_MS = 3_600_000;

export interface Takeovers {
  /** Of each kill: until the other coordinator has a task succeed that was created at the moment of the kill. */
  readonly seconds: readonly number[];
  /** Attempts that the proof needed that ran all the while. */
  readonly attempts: number;
}

/** Kills the leader that many times, over a fleet of two coordinators and one agent at least. */
export async function measureTakeovers(
  cluster: Cluster,
  kills: number,
  log: (text: string) => void,
): Promise<Takeovers> {
  const client = cluster.client();
  const echo = await client.readyService("echo", { image: "builtin:echo" });
  const sleep = await client.readyService("sleep", { image: "builtin:sleep" });
  const long = await client.postTask(sleep.service_id, JSON.stringify({ ms: LONG_MS }));
  const seconds: number[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const leader = await until("a leader", () => leaderOf(cluster), WITHIN);
    const survivor = cluster.coordinators.find((one) => one !== leader);
    if (survivor === undefined) throw new Error("there is one coordinator only");
    await leader.kill();
    const atMs = performance.now();
    const other = cluster.client(survivor);
    await until("a task to succeed", () => other.prove(echo.service_id, '{"n":1}'), WITHIN);
    seconds.push((performance.now() - atMs) / 1000);
    log(`leader killed, ${kill}/${kills}: ${seconds.at(-1)?.toFixed(2)} s`);
    await leader.start();
  }
  const { attempt } = await client.task(long.task_id);
  await client.deleteServices();
  return { seconds, attempts: attempt };
}

async function leaderOf({ coordinators }: Cluster): Promise<Coordinator | undefined> {
  for (const coordinator of coordinators) {
    const text = await (await fetch(coordinator.metricsUrl)).text();
    if (/^elastic_scheduler_leader 1$/m.test(text)) return coordinator;
  }
  return undefined;
}
