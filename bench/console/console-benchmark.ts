/** What the console's clients cost a coordinator that is at work, and how long its lists take. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import manifest from "@elastic/coordinator/package.json" with { type: "json" };
import { until } from "@elastic/deploy/local/until.ts";
import type { ApiClient } from "@elastic/test/cluster/api-client.ts";
import { startCluster } from "@elastic/test/cluster/cluster.ts";
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import { type LoadProcess, startLoadProcess } from "../measure/load-process.ts";
import { median, percentile } from "../measure/statistics.ts";
import { INPUT, WORKERS_AT_A_TIME } from "../service/contender.ts";
import type { ElasticLoadSettings } from "../service/elastic-load.ts";
import { startClients } from "./clients.ts";
import { coordinatorMetric } from "./coordinator-metric.ts";
import { LISTS, listTimes } from "./list-times.ts";
import { CPU_SLOWDOWN, pageTimes } from "./page-times.ts";
import { rowsOf, type Turn } from "./rows.ts";

const CLIENTS = 200;
const TASKS_PER_SECOND = 100;
const POLL_MS = 5_000;
const LISTED_TASKS = 100_000;
const FILLED_AT_ONCE = 64;
const FILL_SECONDS = 5;
const ENDED_WITHIN_MS = 600_000;
/** As many as a coordinator keeps in etcd where it is not configured otherwise. */
const KEPT_IN_ETCD = 50_000;
/** That have moved to the archive and are not counted there yet: of 100 tasks a second there are as many at any time. */
const ARRIVING_MAX = 2_000;
const CPU_SECONDS = "process_cpu_seconds_total";
const LIVE_ENDED = "elastic_live_ended_tasks";
const WARM_UP_SECONDS = 5;

const NOTES = [
  "Everything runs on this one machine: clients, load, etcd, coordinator and agent are processes of their own that share its cores.",
  `${TASKS_PER_SECOND} tasks of no work a second over public HTTP, each posted with a response once it has ended, by an agent that calls the builtin prover \`clock\`.`,
  `Live updates: ${CLIENTS} clients of GET /v1/events of the team whose tasks these are, each on its own connection. Polling: as many, each of which reads a list of 50 tasks every ${POLL_MS / 1000} s.`,
  "CPU: what the coordinator's process used, with all of its threads, from the connection of the last client to the end of the load.",
  `Lists: of a team with at least ${LISTED_TASKS} tasks that have ended, the newest ${KEPT_IN_ETCD} in etcd and the others in the archive, one reading after the other.`,
  `First page: the list of services, logged in, in Chromium with an empty cache, its CPU slowed down ${CPU_SLOWDOWN} times; the click opens \`Try It First\`.`,
];

const TURNS = ["alone", "live", "polling"] as const;
type TurnName = (typeof TURNS)[number];

export const consoleBenchmark: Benchmark = {
  name: "console",
  describes:
    "what 200 clients of live updates cost a coordinator at work, and how long lists of 10^5 tasks and the first page take",
  needs: ["etcd", "demo-prover", "browser", "console"],
  effort: { rounds: 5, seconds: 15 },
  run,
};

async function run(effort: Effort, log: (text: string) => void): Promise<Outcome> {
  await using running = new AsyncDisposableStack();
  log("Starting etcd, coordinator and agent");
  const cluster = running.use(await startCluster());
  const client = cluster.client();
  const limits = { concurrency: WORKERS_AT_A_TIME };
  const service = await client.readyService("clock", { image: "builtin:clock", limits });
  const { url, key } = client;
  const settings: ElasticLoadSettings = { url, key, serviceId: service.service_id, input: INPUT };
  const load = await startLoadProcess(join(import.meta.dirname, "..", "service", "elastic-load.ts"), settings);
  running.defer(() => load.stop());
  const metricsUrl = cluster.coordinators[0]?.metricsUrl ?? "";
  await atRate(load, WARM_UP_SECONDS);

  const turns: Record<TurnName, Turn[]> = { alone: [], live: [], polling: [] };
  for (let round = 1; round <= effort.rounds; round += 1) {
    // Every other round goes backwards: nobody always comes after the same one.
    for (const name of round % 2 === 1 ? TURNS : TURNS.toReversed()) {
      const turn = await measure({ load, client, metricsUrl, seconds: effort.seconds }, name);
      turns[name].push(turn);
      log(`round ${round}/${effort.rounds}  ${name}: ${Math.round(turn.cpuMsPerSecond)} ms of CPU a second`);
    }
  }

  await fill({ client, load, metricsUrl, folder: cluster.folder }, log);
  const lists = LISTS.map((list) => ({ ...list, rounds: [] as number[][] }));
  for (let round = 1; round <= effort.rounds; round += 1) {
    for (const list of lists) {
      const times = await listTimes(client, list);
      list.rounds.push(times);
      log(`round ${round}/${effort.rounds}  ${list.name}: p95 ${percentile(times, 0.95).toPrecision(3)} ms`);
    }
  }
  log("Loading the console in a browser");
  const pages = await pageTimes(cluster);
  const measured = { clients: CLIENTS, tasksPerSecond: TASKS_PER_SECOND, lists, listedTasks: LISTED_TASKS };
  return {
    versions: { node: process.versions.node, elastic: manifest.version },
    notes: NOTES,
    rows: rowsOf({ ...measured, ...turns, pages, cpuSlowdown: CPU_SLOWDOWN }),
  };
}

interface Setting {
  readonly load: LoadProcess;
  readonly client: ApiClient;
  readonly metricsUrl: string;
  readonly seconds: number;
}

async function measure({ load, client, metricsUrl, seconds }: Setting, name: TurnName): Promise<Turn> {
  const { url, key } = client;
  const kind = name === "alone" ? null : name;
  const clients = kind && (await startClients({ url, key, kind, clients: CLIENTS, pollMs: POLL_MS }));
  const before = { cpu: await coordinatorMetric(metricsUrl, CPU_SECONDS), atMs: performance.now() };
  const { doneMs } = await atRate(load, seconds);
  const usedS = (await coordinatorMetric(metricsUrl, CPU_SECONDS)) - before.cpu;
  const elapsedS = (performance.now() - before.atMs) / 1000;
  const counts = await clients?.stop();
  // Who is sent nothing costs nothing: such a figure would be none.
  if (counts !== undefined && median(counts) < (kind === "live" ? seconds / 2 : 1)) {
    throw new Error(`the clients were sent ${median(counts)} responses in ${seconds} s`);
  }
  return { cpuMsPerSecond: (1000 * usedS) / elapsedS, doneMs };
}

function atRate(load: LoadProcess, seconds: number) {
  return load.run({ kind: "rate", what: "task", perSecond: TASKS_PER_SECOND, seconds });
}

/** Runs tasks until there are as many as the lists are to have; all have ended then, and the older ones are archived. */
async function fill(
  { client, load, metricsUrl, folder }: Omit<Setting, "seconds"> & { readonly folder: string },
  log: (text: string) => void,
): Promise<void> {
  while ((await countTasks(client, "")) < LISTED_TASKS) {
    await load.run({ kind: "saturate", what: "create", inFlight: FILLED_AT_ONCE, seconds: FILL_SECONDS });
    log(`${await countTasks(client, "")} of ${LISTED_TASKS} tasks for the lists`);
  }
  const allEnded = async () => (await countTasks(client, "&state=PENDING")) === 0 || undefined;
  await until("the tasks have ended", allEnded, { timeoutMs: ENDED_WITHIN_MS });
  log("Waiting until the older tasks are archived");
  const archived = async () => (await coordinatorMetric(metricsUrl, LIVE_ENDED)) <= KEPT_IN_ETCD || undefined;
  await until("the older tasks are archived", archived, { timeoutMs: ENDED_WITHIN_MS });
  using archive = new DatabaseSync(join(folder, "archive.db"), { readOnly: true });
  const arriving = archive.prepare("SELECT COUNT(*) AS tasks FROM arriving");
  const settled = async () => Number(arriving.get()?.tasks) <= ARRIVING_MAX || undefined;
  await until("the archive has counted them", settled, { timeoutMs: ENDED_WITHIN_MS });
}

async function countTasks(client: ApiClient, query: string): Promise<number> {
  const { json } = await client.call(`/v1/tasks?size=1${query}`);
  return (json as { readonly total: number }).total;
}
