/** How soon a cancelled task's prover is stopped, of provers that stop when they are asked to and of those that do not. */
import { availableParallelism, loadavg } from "node:os";
import manifest from "@elastic/coordinator/package.json" with { type: "json" };
import { type Cluster, startCluster } from "@elastic/test/cluster/cluster.ts";
import { whyNoEngineHere } from "@elastic/test/cluster/engine.ts";
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import { lessIsBetter, type Row } from "../benchmark/row.ts";
import { median, percentile } from "../measure/statistics.ts";
import { emptyTasks, untilGone, untilNextRuns } from "./cancellations.ts";
import { builtinProcess, containerProcess } from "./prover-process.ts";

const GOAL_S = 2;
/** Clients that each have one task proven after the other meanwhile. */
const LOADS = [0, 8] as const;
/** An hour, and a line every tenth of a second. */
const SLEEPS = JSON.stringify({ ms: 3_600_000, lines: 36_000 });

const NOTES = [
  "Everything runs on this one machine: etcd, coordinator, agent, provers and clients share its cores.",
  `From sending POST /v1/tasks/<id>/cancel. Of a prover that stops when its call is cancelled, until the next task runs in it; of one that does not, since its process is frozen (SIGSTOP) as it works, until its process is gone. 95 of 100 take no longer; the goal is ${GOAL_S} s.`,
  "A builtin prover and a container are cancelled at the same time, each its own tasks one after the other.",
  "The peer is a task that does nothing, from its creation to its result, at the same load: the way of a cancellation and a report without the stop.",
];

export const cancelBenchmark: Benchmark = {
  name: "cancel",
  describes: "how soon the prover of a cancelled task is stopped, at rest and under load",
  needs: ["etcd", "demo-prover", "engine"],
  effort: { rounds: 50, seconds: 1 },
  run,
};

async function run({ rounds }: Effort, log: (text: string) => void): Promise<Outcome> {
  const load = loadavg().map((one) => one.toFixed(1));
  const noEngine = await whyNoEngineHere();
  await using cluster = await startCluster({ engine: noEngine === null, agentSettings: { ELASTIC_SLOTS: "8" } });
  const image = noEngine === null ? await cluster.publish("misbehave") : null;
  const rows: Row[] = [];
  const notes = [...NOTES];
  if (noEngine !== null) notes.push(`Without rows of containers: ${noEngine}.`);
  for (const clients of LOADS) {
    await using _ = await startLoad(cluster, clients);
    const peer = percentile(await emptyTasks(cluster.client(), rounds), 0.95);
    const measured: (readonly [name: string, seconds: readonly number[]])[] = [];
    for (const together of measurements(cluster, image, rounds)) {
      measured.push(...(await Promise.all(together.map(async ([name, measure]) => [name, await measure()] as const))));
    }
    for (const [name, seconds] of measured) {
      const ours = percentile(seconds, 0.95);
      const shown = [Math.min(...seconds), median(seconds), ours, Math.max(...seconds)].map((one) => one.toFixed(2));
      log(`${name}, ${clients} clients: ${shown.join(", ")} s`);
      notes.push(`${name}, ${clients} clients: shortest, median, 95 of 100, longest: ${shown.join(", ")} s.`);
      rows.push(rowOf({ name, rounds, clients, ours, peer }));
    }
  }
  notes.push(`Load averages of the machine when it began (1, 5 and 15 minutes): ${load.join(", ")}.`);
  return { versions: { node: process.versions.node, elastic: manifest.version }, notes, rows };
}

type Measurement = readonly [name: string, measure: () => Promise<readonly number[]>];

/** In order, those of one entry at the same time: of a builtin prover and of a container. */
function measurements(cluster: Cluster, image: string | null, rounds: number): readonly (readonly Measurement[])[] {
  const [agent] = cluster.agents;
  if (agent === undefined) throw new Error("there is no agent");
  const builtin = { deployment: { image: "builtin:sleep" }, input: SLEEPS };
  const stops: Measurement[] = [
    ["builtin prover that stops: until the next task runs", () => untilNextRuns(cluster.client(), builtin, rounds)],
  ];
  const frozen: Measurement[] = [
    [
      "builtin prover that is frozen: until it is gone",
      () => untilGone(cluster.client(), builtin, { rounds, processOf: () => builtinProcess(agent, "sleep") }),
    ],
  ];
  const engine = cluster.engine?.socket;
  if (image !== null && engine !== undefined) {
    const container = { deployment: { image, env: { MISBEHAVE: "sleep" } }, input: SLEEPS };
    stops.push([
      "container that stops: until the next task runs",
      () => untilNextRuns(cluster.client(), container, rounds),
    ]);
    frozen.push([
      "container that is frozen: until it is gone",
      () => untilGone(cluster.client(), container, { rounds, processOf: () => containerProcess(engine, agent) }),
    ]);
  }
  return [stops, frozen];
}

/** Each client has one task after the other proven, until it is disposed of. */
async function startLoad(cluster: Cluster, clients: number): Promise<AsyncDisposable> {
  const stopped = new AbortController();
  const client = cluster.client();
  const service = clients === 0 ? null : await client.readyService("load", { image: "builtin:echo" });
  const loops = Array.from({ length: clients }, async () => {
    while (service !== null && !stopped.signal.aborted) await client.prove(service.service_id, '{"n":1}');
  });
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort();
      await Promise.all(loops);
      await client.deleteServices();
    },
  };
}

interface Measured {
  readonly name: string;
  readonly rounds: number;
  readonly clients: number;
  readonly ours: number;
  readonly peer: number;
}

function rowOf({ name, rounds, clients, ours, peer }: Measured): Row {
  return lessIsBetter({
    name,
    size: `${rounds} cancellations${clients === 0 ? "" : `, ${clients} clients`}`,
    threads: availableParallelism(),
    unit: "s",
    ours,
    peer,
    peer_name: "a task that does nothing",
    goal: peer / GOAL_S,
  });
}
