/**
 * What a task of no work costs: through our service as a client sees it, compared with two well-known queues and with
 * the bare store, all durable on the same disk, measured in turns.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programPath } from "@elastic/test/cluster/machine.ts";
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import { inTurns, type Turn } from "../measure/in-turns.ts";
import type { LoadOrder } from "../measure/load.ts";
import { startBullmq } from "./bullmq.ts";
import { type Contender, IN_FLIGHT } from "./contender.ts";
import { type Elastic, startElastic } from "./elastic.ts";
import { fastest } from "./fastest.ts";
import { startGraphileWorker } from "./graphile-worker.ts";
import { installPeers } from "./peers-installed.ts";
import { startRawEtcd } from "./raw-etcd.ts";
import { type Measured, type Rounds, rowsOf } from "./rows.ts";
import { startPostgres } from "./servers/postgres.ts";
import { startRedis } from "./servers/redis.ts";
import type { Server } from "./servers/server.ts";

const RATES = [100, 500];
const WARM_UP_SECONDS = 2;

const NOTES = [
  "Everything runs on this one machine: each load process is the producer, the workers and servers are processes of their own.",
  `Saturated: ${IN_FLIGHT} callers, each with the next task as soon as its last is done.`,
  "Ours: a POST over public HTTP whose response comes once the task has ended, an agent that calls the builtin prover `clock`, which returns when it was called: create to start ends there.",
  "Peers: create to start ends when the worker's handler is called. BullMQ's jobs are done when its QueueEvents report it.",
  "graphile-worker has no such events: its worker process reports to the producer when the handler has ended, which is before the database knows.",
  "Redis with appendfsync always; PostgreSQL and etcd with their defaults, which sync each commit.",
  "Durable creates: POSTs to a service whose one worker is busy. Raw etcd: one compare and three puts of the sizes of a task's record, input and result, or thirty puts, from the client that the coordinator has.",
];

export const serviceBenchmark: Benchmark = {
  name: "service",
  describes: "tasks a second and latencies, compared with BullMQ, graphile-worker and raw etcd",
  needs: ["etcd", "demo-prover"],
  effort: { rounds: 5, seconds: 8 },
  run,
};

async function run(effort: Effort, log: (text: string) => void): Promise<Outcome> {
  await using running = new AsyncDisposableStack();
  log("Starting etcd, coordinator, agent, Redis and PostgreSQL");
  const contenders = await startContenders(running, log);
  await warmUp(contenders);
  const reports = await inTurns(turnsOf(contenders, effort.seconds), effort.rounds, log);
  const of = (load: string) => (contender: string) => reports.get(`${load}, ${contender}`) ?? [];
  return {
    versions: versionsOf(contenders),
    notes: [...NOTES, workersNote(contenders)],
    rows: rowsOf({
      saturated: perQueue(of("saturated")),
      rates: RATES.map((perSecond) => ({ perSecond, of: perQueue(of(`${perSecond}/s`)) })),
      bullmqByWorker: of("saturated")("bullmq, reported by its worker"),
      creates: of("creates")("elastic"),
      rawOneTask: of("one-task")("etcd"),
      rawTenTasks: of("ten-tasks")("etcd"),
    }),
  };
}

interface Contenders {
  readonly queues: readonly Contender[];
  readonly bullmqByWorker: Contender;
  readonly elastic: Elastic;
  readonly etcd: Contender;
  readonly servers: Readonly<Record<string, Server>>;
}

/** Each is put on `running`, to be stopped in reverse. */
async function startContenders(running: AsyncDisposableStack, log: (text: string) => void): Promise<Contenders> {
  const folder = mkdtempSync(join(tmpdir(), "elastic-bench-"));
  running.defer(() => rmSync(folder, { recursive: true, force: true }));
  const keep = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const part = await starting;
    running.defer(() => part.stop());
    return part;
  };
  const versions = installPeers();
  const version = (name: string): string => versions[name] ?? "unknown";
  const place = { folder, path: programPath() };
  const elastic = await keep(startElastic());
  const redis = await keep(startRedis(place));
  const postgres = await keep(startPostgres(place));
  log("Looking for the number of workers with which each peer is fastest");
  const ofBullmq = { redis, version: version("bullmq") };
  const bullmq = await keep(fastest((workers) => startBullmq({ ...ofBullmq, workers, reportedBy: "events" })));
  const bullmqByWorker = await keep(fastest((workers) => startBullmq({ ...ofBullmq, workers, reportedBy: "worker" })));
  const ofGraphile = { postgres, version: version("graphile-worker") };
  const graphile = await keep(fastest((workers) => startGraphileWorker({ ...ofGraphile, workers })));
  const etcd = await keep(startRawEtcd(place, await elastic.valueBytes()));
  return { queues: [elastic, bullmq, graphile], bullmqByWorker, elastic, etcd, servers: { redis, postgres } };
}

function turnsOf({ queues, bullmqByWorker, elastic, etcd }: Contenders, seconds: number): readonly Turn[] {
  const turn = (load: string, contender: Contender, order: LoadOrder): Turn => ({
    name: `${load}, ${contender.name}`,
    measure: () => contender.measure(order),
  });
  const saturate = (what: string): LoadOrder => ({ kind: "saturate", what, inFlight: IN_FLIGHT, seconds });
  return [
    ...[...queues, bullmqByWorker].map((contender) => turn("saturated", contender, saturate("task"))),
    ...RATES.flatMap((perSecond) =>
      queues.map((queue) => turn(`${perSecond}/s`, queue, { kind: "rate", what: "task", perSecond, seconds })),
    ),
    { name: "creates, elastic", measure: () => elastic.measureCreates(saturate("create")) },
    turn("one-task", etcd, saturate("one-task")),
    turn("ten-tasks", etcd, saturate("ten-tasks")),
  ];
}

/** Code is compiled and connections are opened before anything is measured; the peers were warmed up when they were tried. */
async function warmUp({ elastic }: Contenders): Promise<void> {
  await elastic.measure({ kind: "saturate", what: "task", inFlight: IN_FLIGHT, seconds: WARM_UP_SECONDS });
}

function perQueue(of: (contender: string) => Rounds): Measured["saturated"] {
  return { elastic: of("elastic"), bullmq: of("bullmq"), "graphile-worker": of("graphile-worker") };
}

function workersNote({ queues, bullmqByWorker }: Contenders): string {
  const workers = [...queues, bullmqByWorker].map(({ name, workers }) => `${name} ${workers}`);
  return `Tasks taken at a time: ${workers.join("; ")}. Each peer was tried with several numbers and takes part with its fastest.`;
}

function versionsOf({ queues, etcd, servers }: Contenders): Outcome["versions"] {
  const named = [...queues, etcd].map(({ name, version }) => [name, version]);
  const served = Object.entries(servers).map(([name, { version }]) => [name, version]);
  return Object.fromEntries([["node", process.versions.node], ...named, ...served]);
}
