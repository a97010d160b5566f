/** What was measured, as rows. */
import type { Row } from "../benchmark/row.ts";
import {
  atRate,
  type Compared,
  type Costs,
  cpuRow,
  type Rounds,
  rateOf,
  rateRow,
  saturated,
  timeRow,
} from "./compare.ts";
import type { Measurement } from "./measurement.ts";

export interface Measured {
  readonly saturated: Readonly<Record<Peer | "elastic", Costs>>;
  readonly rates: readonly {
    readonly perSecond: number;
    readonly of: Readonly<Record<Peer | "elastic", Costs>>;
  }[];
  /** BullMQ when its worker reports to the producer, past BullMQ's own events. */
  readonly bullmqByWorker: Rounds;
  readonly creates: Rounds;
  readonly rawOneTask: Rounds;
  readonly rawTenTasks: Rounds;
}

type Peer = (typeof PEERS)[number];

export const PEERS = ["bullmq", "graphile-worker", "bullmq behind fastify", "temporal"] as const;

const DONE_GOAL: Readonly<Partial<Record<Peer, number>>> = { bullmq: 1.5, "graphile-worker": 2 };
const START_P95_GOAL_TO_BULLMQ = 0.5;
const CREATES_GOAL_TO_TEN_TASKS = 0.25;
/** Of a rate: below, tasks pile up. */
const SUSTAINED_MIN = 0.95;

export function rowsOf(measured: Measured): readonly Row[] {
  return [
    ...throughput(measured),
    ...creates(measured),
    ...PEERS.flatMap((peer) => latencies(measured, peer)),
    ...PEERS.flatMap((peer) => cpu(measured, peer)),
  ];
}

/** Of each contender and rate that it did not sustain, or was not loaded at since it does far less when it is saturated. */
export function notSustained({ saturated: full, rates }: Measured): readonly string[] {
  return rates.flatMap(({ perSecond, of }) =>
    ([...PEERS, "elastic"] as const).flatMap((name) => {
      const rate = (rounds: Costs): string => rateOf(rounds).toFixed(0);
      const sentence = `${name} does not sustain ${perSecond} tasks/s`;
      if (of[name].length === 0) {
        return `${sentence}: saturated it does ${rate(full[name])}, which its row at that rate shows; it was not loaded at it.`;
      }
      if (rateOf(of[name]) >= SUSTAINED_MIN * perSecond) return [];
      return `${sentence}: it did ${rate(of[name])}, and its times at that rate are those of a queue that grows.`;
    }),
  );
}

function throughput({ saturated: of, bullmqByWorker, rawOneTask }: Measured): readonly Row[] {
  const row = (peerName: string, peer: Rounds, goal?: number): Row =>
    rateRow("create to done", { load: saturated("no-op"), ours: of.elastic, peer, peerName }, goal);
  return [
    ...PEERS.map((peer) => row(peer, of[peer], DONE_GOAL[peer])),
    row("bullmq, reported by its worker", bullmqByWorker),
    row("etcd, one transaction a task", rawOneTask),
  ];
}

function creates({ creates: ours, rawOneTask, rawTenTasks }: Measured): readonly Row[] {
  const row = (peerName: string, peer: Rounds, goal?: number): Row =>
    rateRow("durable creates", { load: saturated("no-op"), ours, peer, peerName }, goal);
  return [
    row("etcd, ten tasks a transaction", rawTenTasks, CREATES_GOAL_TO_TEN_TASKS),
    row("etcd, one transaction a task", rawOneTask),
  ];
}

function latencies(measured: Measured, peer: Peer): readonly Row[] {
  const goal = peer === "bullmq" ? START_P95_GOAL_TO_BULLMQ : undefined;
  const done = (compared: Compared): readonly Row[] =>
    [0.5, 0.95, 0.99].map((fraction) => timeRow("done", fraction, compared));
  const times = (compared: Compared): readonly Row[] => [
    timeRow("start", 0.5, compared),
    timeRow("start", 0.95, compared, goal),
    ...done(compared),
  ];
  const atRates = ratesOf(measured, peer).flatMap((compared) => [
    ...(wereLoaded(compared) ? times(compared) : []),
    rateRow("rate that was sustained", orSaturated(measured, compared, peer)),
  ]);
  return [...atRates, ...done(saturatedOf(measured, peer))];
}

function cpu(measured: Measured, peer: Peer): readonly Row[] {
  return [saturatedOf(measured, peer), ...ratesOf(measured, peer)]
    .filter(wereLoaded)
    .flatMap((compared) => [
      cpuRow("all processes", ({ all }) => all, compared),
      cpuRow("without the client", ({ withoutClient }) => withoutClient, compared),
    ]);
}

function saturatedOf({ saturated: of }: Measured, peer: Peer): Compared<Measurement> {
  return { load: saturated("saturated"), ours: of.elastic, peer: of[peer], peerName: peer };
}

function ratesOf({ rates }: Measured, peer: Peer): readonly Compared<Measurement>[] {
  return rates.map(({ perSecond, of }) => ({
    load: atRate(perSecond),
    ours: of.elastic,
    peer: of[peer],
    peerName: peer,
  }));
}

function wereLoaded({ ours, peer }: Compared): boolean {
  return ours.length > 0 && peer.length > 0;
}

/** With what a contender does when it is saturated, where it was not loaded. */
function orSaturated({ saturated: of }: Measured, compared: Compared<Measurement>, peer: Peer): Compared {
  const or = (rounds: Costs, full: Costs): Costs => (rounds.length > 0 ? rounds : full);
  return { ...compared, ours: or(compared.ours, of.elastic), peer: or(compared.peer, of[peer]) };
}
