/**
 * A hundred thousand tasks while parts are killed and frozen and links are cut, several at once. Everything that clients
 * saw, every write since the first revision, and what ran on the machines and their GPUs, are recorded while it lasts, and
 * judged by the checker as a program. The faults of both halves are drawn from the same seed, and after each half the processes and the store must hold as much.
 */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders } from "../../agent/testing/temporary-folder.ts";
import { readExecutions } from "../cluster/checker/execution-lines.ts";
import { openHistoryFile } from "../cluster/checker/history-file.ts";
import { STORE_WATCHED, writeLine } from "../cluster/checker/store-lines.ts";
import { startStoreWatcher } from "../cluster/checker/store-watcher.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { keepCompacted } from "../cluster/etcd-size.ts";
import { type FaultProxy, startFaultProxy } from "../cluster/fault-proxy.ts";
import { agentsWithGpus } from "../cluster/gpu-machine.ts";
import { INSPECTED } from "../cluster/inspector.ts";
import { seededNumbers } from "./seeded-numbers.ts";
import { type Links, prepareFaults } from "./soak/faults.ts";
import { fleetOf } from "./soak/fleet.ts";
import { recordHeld } from "./soak/growth.ts";
import { prepareLoad } from "./soak/load.ts";
import { checkHistory, exportTasks } from "./soak/verdict.ts";

afterAll(removeTemporaryFolders);

/** Fewer while it is worked on. */
const TASKS = Number(process.env.ELASTIC_SOAK_TASKS ?? 100_000);
const SEED = Number(process.env.ELASTIC_SOAK_SEED ?? randomInt(2 ** 31));
const COORDINATORS = 2;
const AGENTS = 3;
const WORKLOADS = 6;
const TASKS_PER_WORKLOAD = 16;
const RUN_TIMEOUT_MS = 2_400_000;
/** Between the two halves nothing is created. */
const HALVES = ["before", "after"] as const;
const JUDGED = [
  "lost",
  "doubled",
  "states",
  "fencing",
  "results",
  "order",
  "linearizable",
  "cancellations",
  "exclusive",
  "leaks",
  "liveness",
];

test("under faults no task is lost or doubled, and memory and etcd stay flat", {
  timeout: RUN_TIMEOUT_MS,
}, async () => {
  await using proxies = new AsyncDisposableStack();
  const { cluster, links } = await startBehindProxies(proxies);
  const { etcd, folder } = cluster;
  const clients = openHistoryFile(join(folder, "client-history.jsonl"));
  const store = openHistoryFile(join(folder, "store-history.jsonl"));
  store.write(STORE_WATCHED);
  const watcher = startStoreWatcher(etcd.endpoint, (event) => store.write(writeLine(event)));
  const compacting = new AbortController();
  const compaction = keepCompacted(etcd.endpoint, compacting.signal);
  const fleet = await fleetOf(cluster);
  const faults = prepareFaults(fleet, links, (name) => clients.write({ kind: "marker", name, at: performance.now() }));
  const load = prepareLoad({
    urls: cluster.coordinators.map(({ url }) => url),
    key: cluster.firstKey.key,
    serviceId: await deploy(cluster),
    history: clients,
    signal: AbortSignal.timeout(RUN_TIMEOUT_MS),
  });

  const halfEnds: string[] = [];
  for (const when of HALVES) {
    const begunAt = performance.now();
    const target = load.acknowledged() + TASKS / 2;
    const running = load.run(TASKS / 2);
    // Awaited below; until then a failure must not end the process.
    running.catch(() => {});
    await faults.rounds(seededNumbers(SEED), () => load.acknowledged() >= target);
    clients.write({ kind: "marker", name: "healed", at: performance.now() });
    await running;
    const seconds = Math.round((performance.now() - begunAt) / 1000);
    const held = await recordHeld({ fleet, etcdEndpoint: etcd.endpoint, history: clients }, when);
    halfEnds.push(new Date().toISOString().slice(0, 19));
    report({ when, seconds, tasksPerSecond: Math.round(TASKS / 2 / seconds), held });
  }
  compacting.abort();
  await compaction;
  await watcher.stop();
  const machines = openHistoryFile(join(folder, "execution-history.jsonl"));
  for (const line of readExecutions(folder)) machines.write(line);
  await Promise.all([clients, store, machines].map((file) => file.close()));

  const recorded = [clients, store, machines].map(({ path }) => path);
  const verdict = await checkHistory([...recorded, ...(await exportTasks(cluster, halfEnds.slice(0, 1)))]);
  const stale = await fleet.staleReports();
  report({ seed: SEED, acknowledged: load.acknowledged(), staleReports: stale, faults: [...faults.counts()] });
  report({ lines: verdict.lines, checks: verdict.checks });
  expect(verdict.violations, `seed ${SEED}`).toEqual([]);
  expect(verdict.checks.filter(({ ran }) => ran).map(({ name }) => name)).toEqual(JUDGED);
  expect(stale, "reports of attempts that were no longer current, which the faults must have caused").toBeGreaterThan(
    0,
  );
});

/** Between coordinators and etcd, and between each agent and each coordinator, there is a proxy. */
async function startBehindProxies(
  stack: AsyncDisposableStack,
): Promise<{ readonly cluster: Cluster; readonly links: Links }> {
  const ofAgents: FaultProxy[][] = Array.from({ length: AGENTS }, () => []);
  const ofEtcd: FaultProxy[] = [];
  let linksMade = 0;
  const cluster = await startCluster({
    coordinators: COORDINATORS,
    agents: AGENTS,
    coordinatorSettings: { ...INSPECTED, ELASTIC_ARCHIVE_AFTER: "5" },
    agentSettings: INSPECTED,
    ledgers: true,
    as: agentsWithGpus(AGENTS, WORKLOADS),
    async etcdThrough(endpoint) {
      const proxy = stack.use(await startFaultProxy(endpoint.replace("http://", "")));
      ofEtcd.push(proxy);
      return `http://${proxy.address}`;
    },
    // Each agent is given all coordinators before the next is given any.
    async coordinatorThrough(grpc) {
      const agent = Math.floor(linksMade++ / COORDINATORS);
      const proxy = stack.use(await startFaultProxy(grpc));
      ofAgents[agent]?.push(proxy);
      return proxy.address;
    },
  });
  stack.use(cluster);
  const [link] = ofEtcd;
  if (link === undefined) throw new Error("the coordinators reach etcd without a proxy");
  return { cluster, links: { ofAgents, ofEtcd: link } };
}

async function deploy(cluster: Cluster): Promise<string> {
  const { service_id } = await cluster.client().readyService("clock", {
    image: "builtin:clock",
    scaling: { min: WORKLOADS, max: WORKLOADS },
    resources: { gpu_model: "H200", memory_bytes: 256 * 1024 ** 2 },
    limits: { concurrency: TASKS_PER_WORKLOAD },
  });
  return service_id;
}

function report(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
