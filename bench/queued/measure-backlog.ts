/** A cluster with many tasks that wait, and what is measured of it before, with and after them. */
import { until } from "@elastic/deploy/local/until.ts";
import { type ApiClient, apiClient } from "@elastic/test/cluster/api-client.ts";
import { type Cluster, startCluster } from "@elastic/test/cluster/cluster.ts";
import type { Coordinator } from "@elastic/test/cluster/coordinator.ts";
import { residentBytes } from "@elastic/test/cluster/resident-memory.ts";
import { addTeam } from "@elastic/test/cluster/second-team.ts";
import { addWaitingTasks } from "@elastic/test/cluster/waiting-tasks.ts";
import { coordinatorMetric } from "../console/coordinator-metric.ts";
import { type Request, requestTimes, requestTimesUntil, timed } from "./request-times.ts";
import { shown } from "./rows.ts";

export const CREATES = 1_000;
export const CANCELS = 20;
export const CANCELLED_AT_ONCE = 1_000;
export const PAGE = 100;
const LISTS = 100;
/** Beyond it the interface takes cursors alone. */
const DEEPEST = 9_900;
const MIB = 1024 ** 2;
const WITHIN = { timeoutMs: 300_000, everyMs: 20 };

export interface Size {
  readonly tasks: number;
  readonly services: number;
}

type Times = readonly number[];

/** Milliseconds, seconds and MiB. */
export interface Backlog {
  readonly creates: { readonly idle: Times; readonly full: Times; readonly duringCancel: Times };
  readonly lists: { readonly empty: Times; readonly newest: Times; readonly middle: Times };
  readonly cancelledPerSecond: number;
  readonly restartS: number;
  readonly takeOverS: number;
  readonly mib: { readonly empty: number; readonly full: number; readonly etcd: number };
}

export async function measureBacklog({ tasks, services }: Size, log: (text: string) => void): Promise<Backlog> {
  await using cluster = await startCluster({ coordinators: 2 });
  const leader = await until("a leader", () => leaderOf(cluster), WITHIN);
  const follower = cluster.coordinators.find((one) => one !== leader) ?? leader;
  const full = cluster.client(leader);
  const { key } = await addTeam(cluster.etcd.endpoint, "others");
  const others = apiClient({ url: leader.url, key });
  const { service_id: served } = await others.readyService("noop", { image: "builtin:noop" });
  const create: Request = { path: `/v1/services/${served}`, method: "POST", body: '{"input":0}' };
  const filled: string[] = [];
  for (let n = 1; n <= services; n++) filled.push((await full.createService(`full-${n}`)).service_id);
  const first = filled[0] ?? "";
  const newest: Request = { path: `/v1/tasks?service_id=${first}&size=${PAGE}` };

  await requestTimes(others, create, CREATES);
  const idle = await requestTimes(others, create, CREATES);
  log(`create, idle: ${shown(idle)}`);
  const shortList = await requestTimes(full, newest, LISTS);
  const emptyMib = memoryOf(leader);

  const beganMs = performance.now();
  await addWaitingTasks(cluster.etcd.endpoint, filled, tasks);
  for (const one of cluster.coordinators) {
    await until("all tasks in the view", () => hasAll(cluster.client(one), filled, tasks), WITHIN);
  }
  // etcd has what was written so fast still before it.
  await until("another team's task to succeed", () => others.prove(served, "0"), WITHIN);
  log(`filled in ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
  const etcdMib =
    (await coordinatorMetric(leader.metricsUrl, "elastic_store_in_use_bytes").catch(() => Number.NaN)) / MIB;
  const fullMib = Math.max(...cluster.coordinators.map(memoryOf));
  log(`memory: ${fullMib.toFixed(0)} MiB, before ${emptyMib.toFixed(0)} MiB; etcd ${etcdMib.toFixed(0)} MiB`);

  const busy = await requestTimes(others, create, CREATES);
  log(`create, full: ${shown(busy)}`);
  const longList = await requestTimes(full, newest, LISTS);
  const middle = Math.ceil(Math.min(tasks / services / 2, DEEPEST) / PAGE);
  const deep = await requestTimes(full, { path: `${newest.path}&page=${middle}` }, LISTS);
  log(`list: ${shown(longList)}; from the middle: ${shown(deep)}`);

  let isCancelled = false;
  const cancelling = cancelSome(full, filled).finally(() => {
    isCancelled = true;
  });
  const meanwhile = await requestTimesUntil(others, create, () => isCancelled);
  const { cancelled, cancelS } = await cancelling;
  log(`cancelled ${cancelled} in ${cancelS.toFixed(1)} s; create meanwhile: ${shown(meanwhile)}`);

  await follower.stop();
  const restartMs = performance.now();
  await follower.start();
  const restartS = (performance.now() - restartMs) / 1000;
  log(`restart: ${restartS.toFixed(1)} s`);
  await leader.kill();
  const killedMs = performance.now();
  const survivor = apiClient({ url: follower.url, key });
  await until("a task to succeed", () => survivor.prove(served, "0"), WITHIN);
  const takeOverS = (performance.now() - killedMs) / 1000;
  const afterMib = memoryOf(follower);
  log(`take-over: ${takeOverS.toFixed(1)} s; memory ${afterMib.toFixed(0)} MiB`);

  return {
    creates: { idle, full: busy, duringCancel: meanwhile },
    lists: { empty: shortList, newest: longList, middle: deep },
    cancelledPerSecond: cancelled / cancelS,
    restartS,
    takeOverS,
    mib: { empty: emptyMib, full: Math.max(fullMib, afterMib), etcd: etcdMib },
  };
}

/** The services in turns. */
async function cancelSome(client: ApiClient, services: readonly string[]) {
  const beganMs = performance.now();
  let cancelled = 0;
  for (let n = 0; n < CANCELS; n++) {
    const body = JSON.stringify({ service_id: services[n % services.length] });
    const { json } = await timed(client, { path: "/v1/tasks/cancel", method: "POST", body });
    cancelled += Number(json.cancelled);
  }
  return { cancelled, cancelS: (performance.now() - beganMs) / 1000 };
}

async function hasAll(client: ApiClient, services: readonly string[], tasks: number): Promise<true | undefined> {
  let total = 0;
  for (const id of services) {
    const { json } = await timed(client, { path: `/v1/tasks?service_id=${id}&size=1` });
    total += Number(json.total);
  }
  return total >= tasks || undefined;
}

async function leaderOf({ coordinators }: Cluster): Promise<Coordinator | undefined> {
  for (const coordinator of coordinators) {
    if ((await coordinatorMetric(coordinator.metricsUrl, "elastic_scheduler_leader")) === 1) return coordinator;
  }
  return undefined;
}

function memoryOf(coordinator: Coordinator): number {
  return residentBytes(coordinator.child().pid) / MIB;
}
