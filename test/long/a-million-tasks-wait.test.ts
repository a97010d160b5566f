/** A backlog of a million tasks, in one service and in ten: what it takes, and that everything else works next to it. */
import { until } from "@elastic/deploy/local/until.ts";
import { expect, test } from "vitest";
import { type ApiClient, apiClient } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import type { Coordinator } from "../cluster/coordinator.ts";
import { residentBytes } from "../cluster/resident-memory.ts";
import { addTeam } from "../cluster/second-team.ts";
import { addWaitingTasks } from "../cluster/waiting-tasks.ts";

/** Fewer while this is worked on, of which what it measures means little. */
const TASKS = Number(process.env.ELASTIC_WAITING_TASKS ?? 1_000_000);
const CANCELLED_AT_ONCE = 1_000;
const MIB_MAX = 1536;
const SECONDS_MAX = 30;
const WITHIN = { timeoutMs: 300_000, everyMs: 100 };
/** The interface reaches the first 10,000 by page. */
const DEEPEST_PAGE = 90;

test.each([1, 10])(
  "a million tasks in %i services take bounded memory and time, and hold nobody up",
  async (services) => {
    await using cluster = await startCluster({ coordinators: 2 });
    const leader = await until("a leader", () => leaderOf(cluster), WITHIN);
    const other = cluster.coordinators.find((one) => one !== leader) ?? leader;
    const { key } = await addTeam(cluster.etcd.endpoint, "others");
    const others = apiClient({ url: leader.url, key });
    const { service_id: served } = await others.readyService("noop", { image: "builtin:noop" });
    const owner = cluster.client(leader);
    const full: string[] = [];
    for (let n = 0; n < services; n++) full.push((await owner.createService(`full-${n}`)).service_id);
    const [first = ""] = full;

    await addWaitingTasks(cluster.etcd.endpoint, full, TASKS);
    for (const one of cluster.coordinators) {
      await until("its view to have all", async () => (await waiting(cluster.client(one), full)) === TASKS, WITHIN);
    }
    // etcd has what was written so fast still before it; until then it may reject.
    await until("another team's task to succeed", () => others.prove(served, "0"), WITHIN);
    const page = Math.min(DEEPEST_PAGE, Math.floor(TASKS / services / 200));
    const deep = await owner.call(`/v1/tasks?service_id=${first}&size=100&page=${page}`);
    expect((deep.json as { readonly items: readonly unknown[] }).items).toHaveLength(100);
    const cancel = { method: "POST", body: JSON.stringify({ service_id: first }), headers: JSON_HEADERS };
    const remaining = TASKS / services - CANCELLED_AT_ONCE;
    expect((await owner.call("/v1/tasks/cancel", cancel)).json).toMatchObject({
      cancelled: CANCELLED_AT_ONCE,
      remaining,
    });
    const mib = cluster.coordinators.map(mibOf);

    await other.stop();
    const restartS = await seconds(() => other.start());
    await leader.kill();
    const survivor = apiClient({ url: other.url, key });
    const takeOverS = await seconds(() => until("a task to succeed", () => survivor.prove(served, "0"), WITHIN));
    mib.push(mibOf(other));
    console.log(`${services} services: ${mib.map(Math.round)} MiB, restart ${restartS} s, take-over ${takeOverS} s`);
    expect(Math.max(...mib)).toBeLessThan(MIB_MAX);
    expect(restartS).toBeLessThan(SECONDS_MAX);
    expect(takeOverS).toBeLessThan(SECONDS_MAX);
  },
);

const JSON_HEADERS = { "content-type": "application/json" };

async function leaderOf({ coordinators }: Cluster): Promise<Coordinator | undefined> {
  for (const coordinator of coordinators) {
    const text = await (await fetch(coordinator.metricsUrl)).text();
    if (/^elastic_scheduler_leader 1$/m.test(text)) return coordinator;
  }
  return undefined;
}

async function waiting(client: ApiClient, services: readonly string[]): Promise<number> {
  let sum = 0;
  for (const id of services) {
    const { json } = await client.call(`/v1/tasks?service_id=${id}&size=1`);
    sum += (json as { readonly total: number }).total;
  }
  return sum;
}

function mibOf(coordinator: Coordinator): number {
  return residentBytes(coordinator.child().pid) / 1024 ** 2;
}

async function seconds(act: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await act();
  return (performance.now() - beganMs) / 1000;
}
