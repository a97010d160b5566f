/**
 * What a task of no work costs: through our service as a client sees it, compared with two well-known queues, with one of
 * them behind an HTTP interface, with Temporal, and with the bare store, all durable on the same disk, measured in turns.
 */
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import { inTurns, type Turn } from "../measure/in-turns.ts";
import type { LoadOrder } from "../measure/load.ts";
import { profileText } from "../profile/profile-text.ts";
import type { Costs } from "./compare.ts";
import { type Contender, IN_FLIGHT } from "./contender.ts";
import { type Contenders, startContenders } from "./contenders.ts";
import { canBeLoaded, RATES, warmUp } from "./loads.ts";
import { LoopDelays } from "./loop-delays.ts";
import { type Measurement, measureWithCpu } from "./measurement.ts";
import { profileService } from "./profile-service.ts";
import { type Measured, notSustained, PEERS, rowsOf } from "./rows.ts";
import { temporalMissing } from "./servers/temporal.ts";

/** As its turns are named. */
const OURS = "elastic";

const NOTES = [
  "Everything runs on this one machine: each load process is the producer, the workers and servers are processes of their own.",
  `Saturated: ${IN_FLIGHT} callers, each with the next task as soon as its last is done.`,
  "Ours: a POST over public HTTP whose response comes once the task has ended, an agent that calls the builtin prover `clock`, which returns when it was called: create to start ends there.",
  "Peers: create to start ends when the worker's handler is called. BullMQ's jobs are done when its QueueEvents report it.",
  "graphile-worker has no such events: its worker process reports to the producer when the handler has ended, which is before the database knows.",
  "BullMQ behind fastify: POST /tasks of a fastify server that checks a hashed access key and the body by a schema, adds the job, and responds when waitUntilFinished does; its load process is the client that ours has, with the same connections and the same body.",
  "Temporal: one workflow of one activity, started and waited for by the client of its TypeScript SDK in the load process; create to start ends in the activity.",
  "Redis with appendfsync always; PostgreSQL and etcd with their defaults, which sync each commit; SQLite with a write-ahead log and synchronous FULL.",
  "CPU a task: user and system time of all processes of a contender between the first submission and the last end, for each task; idle work of these processes counts. The client is the load process, which with bullmq and graphile-worker adds the jobs itself.",
  "Durable creates: POSTs to a service whose one worker is busy. Raw etcd: one compare and three puts of the sizes of a task's record, input and result, or thirty puts, from the client that the coordinator has.",
];

export const serviceBenchmark: Benchmark = {
  name: "service",
  describes: "tasks a second, latencies and CPU time, compared with BullMQ, graphile-worker, Temporal and raw etcd",
  needs: ["etcd", "demo-prover", "temporal"],
  effort: { rounds: 5, seconds: 8 },
  missing: temporalMissing,
  profile: async (effort, log) => (await profileService(effort, log)).map(profileText).join("\n\n\n"),
  run,
};

async function run(effort: Effort, log: (text: string) => void): Promise<Outcome> {
  await using running = new AsyncDisposableStack();
  const contenders = await startContenders(running, log);
  const capacities = new Map<Contender, number>();
  for (const queue of queuesOf(contenders)) capacities.set(queue, await warmUp(queue));
  const delays = new LoopDelays(contenders.elastic.metricsUrl);
  const turns = turnsOf(contenders, capacities, effort.seconds).map((turn) => withDelays(turn, delays));
  const reports = await inTurns(turns, effort.rounds, log);
  const of = (load: string) => (contender: string) => reports.get(`${load}, ${contender}`) ?? [];
  const measured: Measured = {
    saturated: perQueue(of("saturated")),
    rates: RATES.map((perSecond) => ({ perSecond, of: perQueue(of(`${perSecond}/s`)) })),
    bullmqByWorker: of("saturated")("bullmq, reported by its worker"),
    creates: of("creates")("elastic"),
    rawOneTask: of("one-task")("etcd"),
    rawTenTasks: of("ten-tasks")("etcd"),
  };
  return {
    versions: versionsOf(contenders),
    notes: [...NOTES, settingsNote(contenders), delays.note(), ...notSustained(measured)],
    rows: rowsOf(measured),
  };
}

function queuesOf({ elastic, peers }: Contenders): readonly Contender[] {
  return [elastic, ...peers];
}

/** Of our service's turns. */
function withDelays(turn: Turn<Measurement>, delays: LoopDelays): Turn<Measurement> {
  const { name, measure } = turn;
  if (!name.endsWith(`, ${OURS}`)) return turn;
  return { name, measure: () => delays.during(name.slice(0, -`, ${OURS}`.length), measure) };
}

/** A rate far above what a contender does when it is saturated only piles tasks up: it is not loaded at that. */
function turnsOf(
  contenders: Contenders,
  capacities: ReadonlyMap<Contender, number>,
  seconds: number,
): readonly Turn<Measurement>[] {
  const { elastic, bullmqByWorker, etcd } = contenders;
  const queues = queuesOf(contenders);
  const turn = (load: string, contender: Contender, order: LoadOrder): Turn<Measurement> => ({
    name: `${load}, ${contender.name}`,
    measure: () => measureWithCpu(contender, order),
  });
  const saturate = (what: string): LoadOrder => ({ kind: "saturate", what, inFlight: IN_FLIGHT, seconds });
  return [
    ...[...queues, bullmqByWorker].map((contender) => turn("saturated", contender, saturate("task"))),
    ...RATES.flatMap((perSecond) =>
      queues
        .filter((queue) => canBeLoaded(capacities.get(queue) ?? 0, perSecond))
        .map((queue) => turn(`${perSecond}/s`, queue, { kind: "rate", what: "task", perSecond, seconds })),
    ),
    turn("creates", { ...elastic, measure: elastic.measureCreates }, saturate("create")),
    turn("one-task", etcd, saturate("one-task")),
    turn("ten-tasks", etcd, saturate("ten-tasks")),
  ];
}

function perQueue(of: (contender: string) => Costs): Measured["saturated"] {
  const [bullmq, graphile, fastify, temporal] = PEERS;
  return {
    elastic: of("elastic"),
    [bullmq]: of(bullmq),
    [graphile]: of(graphile),
    [fastify]: of(fastify),
    [temporal]: of(temporal),
  };
}

function settingsNote({ elastic, peers, bullmqByWorker }: Contenders): string {
  const settings = [elastic, ...peers, bullmqByWorker].map(({ name, settings }) => `${name}: ${settings}`);
  return `Settings: ${settings.join("; ")}. Each peer was tried with several and takes part with its fastest.`;
}

function versionsOf({ elastic, peers, etcd, servers }: Contenders): Outcome["versions"] {
  const named = [elastic, ...peers, etcd].map(({ name, version }) => [name, version]);
  const served = Object.entries(servers).map(([name, { version }]) => [name, version]);
  return Object.fromEntries([["node", process.versions.node], ...named, ...served]);
}
