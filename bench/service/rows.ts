/** What was measured, as rows. Medians over the rounds; a time's percentile is taken in each round first. */

import { lessIsBetter, moreIsBetter, type Row } from "../benchmark/row.ts";
import type { LoadReport } from "../measure/load.ts";
import { median, percentile } from "../measure/statistics.ts";
import { IN_FLIGHT } from "./contender.ts";

/** Reports of all rounds of one load on one contender. */
export type Rounds = readonly LoadReport[];

export interface Measured {
  readonly saturated: Readonly<Record<Peer | "elastic", Rounds>>;
  readonly rates: readonly {
    readonly perSecond: number;
    readonly of: Readonly<Record<Peer | "elastic", Rounds>>;
  }[];
  /** BullMQ when its worker reports to the producer, past BullMQ's own events. */
  readonly bullmqByWorker: Rounds;
  readonly creates: Rounds;
  readonly rawOneTask: Rounds;
  readonly rawTenTasks: Rounds;
}

type Peer = "bullmq" | "graphile-worker";

const DONE_GOAL: Readonly<Record<Peer, number>> = { bullmq: 1.5, "graphile-worker": 2 };
const START_P95_GOAL_TO_BULLMQ = 0.5;
const CREATES_GOAL_TO_TEN_TASKS = 0.25;
const PEERS: readonly Peer[] = ["bullmq", "graphile-worker"];

export function rowsOf(measured: Measured): readonly Row[] {
  return [...throughput(measured), ...creates(measured), ...PEERS.flatMap((peer) => latencies(measured, peer))];
}

function throughput({ saturated, bullmqByWorker, rawOneTask }: Measured): readonly Row[] {
  const done = { name: "create to done", size: "no-op", threads: IN_FLIGHT, unit: "tasks/s" };
  const ours = rate(saturated.elastic);
  return [
    ...PEERS.map((peer) =>
      moreIsBetter({ ...done, ours, peer: rate(saturated[peer]), peer_name: peer, goal: DONE_GOAL[peer] }),
    ),
    moreIsBetter({ ...done, ours, peer: rate(bullmqByWorker), peer_name: "bullmq, reported by its worker" }),
    moreIsBetter({ ...done, ours, peer: rate(rawOneTask), peer_name: "etcd, one transaction a task" }),
  ];
}

function creates({ creates, rawOneTask, rawTenTasks }: Measured): readonly Row[] {
  const created = { name: "durable creates", size: "no-op", threads: IN_FLIGHT, unit: "tasks/s" };
  const ours = rate(creates);
  return [
    moreIsBetter({
      ...created,
      ours,
      peer: rate(rawTenTasks),
      peer_name: "etcd, ten tasks a transaction",
      goal: CREATES_GOAL_TO_TEN_TASKS,
    }),
    moreIsBetter({ ...created, ours, peer: rate(rawOneTask), peer_name: "etcd, one transaction a task" }),
  ];
}

function latencies({ rates, saturated }: Measured, peer: Peer): readonly Row[] {
  const atRates = rates.flatMap(({ perSecond, of }) => {
    const at = { size: `${perSecond} tasks/s`, threads: 0, unit: "ms", peer_name: peer };
    const start = (fraction: number, goal?: number): Row =>
      lessIsBetter({
        ...at,
        name: `create to start, p${fraction * 100}`,
        ours: time(of.elastic, "startMs", fraction),
        peer: time(of[peer], "startMs", fraction),
        ...(goal === undefined ? {} : { goal }),
      });
    const done = (fraction: number): Row =>
      lessIsBetter({
        ...at,
        name: `create to done, p${fraction * 100}`,
        ours: time(of.elastic, "doneMs", fraction),
        peer: time(of[peer], "doneMs", fraction),
      });
    const goal = peer === "bullmq" ? START_P95_GOAL_TO_BULLMQ : undefined;
    const sustained = { ...at, name: "rate that was sustained", unit: "tasks/s" };
    return [
      start(0.5),
      start(0.95, goal),
      ...[0.5, 0.95, 0.99].map(done),
      moreIsBetter({ ...sustained, ours: rate(of.elastic), peer: rate(of[peer]) }),
    ];
  });
  const full = [0.5, 0.95, 0.99].map((fraction) =>
    lessIsBetter({
      name: `create to done, p${fraction * 100}`,
      size: "saturated",
      threads: IN_FLIGHT,
      unit: "ms",
      ours: time(saturated.elastic, "doneMs", fraction),
      peer: time(saturated[peer], "doneMs", fraction),
      peer_name: peer,
    }),
  );
  return [...atRates, ...full];
}

function rate(rounds: Rounds): number {
  return median(rounds.map(({ tasksPerSecond }) => tasksPerSecond));
}

function time(rounds: Rounds, which: "startMs" | "doneMs", fraction: number): number {
  return median(rounds.map((round) => percentile(round[which], fraction)));
}
