/** What a week of machines costs and how long tasks wait, for pools, for a fixed fleet, and for scaling by a queue's length. */
import manifest from "@elastic/coordinator/package.json" with { type: "json" };
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import { lessIsBetter, type Row } from "../benchmark/row.ts";
import { median } from "../measure/statistics.ts";
import { CONTENDERS, type Contender, weekOf } from "./contenders.ts";
import type { Week } from "./run-week.ts";

export const poolsBenchmark: Benchmark = {
  name: "pools",
  describes: "cost and queue delay of a simulated week, compared with a fixed fleet and with scaling by queue length",
  needs: ["node"],
  effort: { rounds: 3, seconds: 1 },
  run,
};

const NOTES = [
  "Simulated under virtual time, so that the machine it runs on changes nothing: a round is a week of a seed, 1, 2, 3 and so on, and figures are medians over them. The decisions are the product's: how many workloads a service has (wanted-workloads.ts), where they go (choose-node.ts), what is lacking (find-demand.ts), which pool grows and which machine leaves (decide-pools.ts, step-machine.ts).",
  "Traffic of two services: 2,400 tasks a day with 1 GPU and a median run of 100 s, 60 with 2 GPUs and 420 s, log-normal; nineteen times as many at two in the afternoon as at two at night, 0.4 times as many at weekends; three bursts a day of 40 to 200 tasks within 30 s.",
  "Machines have 2 GPUs, cost 4 an hour from their request to their removal, take 3 to 7 minutes to boot, and are taken away after 72 hours on average, with two minutes' notice. A workload takes 30 s to start. There are 24 machines at most.",
  "The fixed fleet has 6 machines, 1.7 times the mean load of the busiest hour, without bursts. KEDA: ceil(open tasks / target) machines, polled every 30 s, fewer once nothing in 300 s wanted more; empty machines go first and running tasks end, which is more than it does.",
  "Delay is from the creation of a task until the run that completed began. The delay of 95 of 100 is that of bursts: no policy has a machine before it has booted.",
];

async function run({ rounds }: Effort, log: (text: string) => void): Promise<Outcome> {
  const weeks = new Map<Contender, readonly Week[]>();
  for (const contender of CONTENDERS) {
    const own: Week[] = [];
    for (let seed = 1; seed <= rounds; seed++) {
      own.push(weekOf(contender, seed));
      // Whoever waits for it may stop it.
      await new Promise((resolve) => setImmediate(resolve));
    }
    weeks.set(contender, own);
    log(describe(contender, own));
  }
  const notes = [...NOTES, ...[...weeks].map(([contender, own]) => describe(contender, own))];
  return { versions: { node: process.versions.node, elastic: manifest.version }, notes, rows: rowsOf(weeks) };
}

function rowsOf(weeks: ReadonlyMap<Contender, readonly Week[]>): readonly Row[] {
  const contenders = [...weeks];
  return contenders
    .filter(([{ isOurs }]) => isOurs)
    .flatMap(([{ name }, own]) =>
      contenders
        .filter(([{ isOurs }]) => !isOurs)
        .flatMap(([peer, others]) => {
          const of = { size: "a week", threads: 0, peer_name: peer.name };
          const medianOf = (all: readonly Week[], value: (week: Week) => number) => median(all.map(value));
          const row = (what: string, unit: string, value: (week: Week) => number) =>
            lessIsBetter({
              ...of,
              name: `${name}: ${what}`,
              unit,
              ours: medianOf(own, value),
              peer: medianOf(others, value),
            });
          return [
            row("cost", "currency", ({ cost }) => cost),
            row("queue delay, 95 of 100", "s", ({ p95Seconds }) => p95Seconds),
            row("queue delay, median", "s", ({ p50Seconds }) => p50Seconds),
          ];
        }),
    );
}

function describe({ name }: Contender, weeks: readonly Week[]): string {
  const of = (value: (week: Week) => number, digits = 0) => median(weeks.map(value)).toFixed(digits);
  const delays = `delay ${of(({ p50Seconds }) => p50Seconds)} s in the median, ${of(({ p95Seconds }) => p95Seconds)} s for 95 of 100`;
  const machines = `${of(({ machineHours }) => machineHours)} machine hours, at most ${of(({ machinesMax }) => machinesMax)} at once`;
  return `${name}: cost ${of(({ cost }) => cost)}, ${machines}; ${delays}; ${of(({ interrupted }) => interrupted)} runs cut off by a machine's loss.`;
}
