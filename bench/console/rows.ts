/** What was measured, as rows. Medians over the rounds; a percentile is taken in each round first. */

import { lessIsBetter, type Row } from "../benchmark/row.ts";
import { median, percentile } from "../measure/statistics.ts";
import type { PageTimes } from "./page-times.ts";

/** Of one measurement under tasks at a rate. */
export interface Turn {
  /** CPU time of the coordinator in each second. */
  readonly cpuMsPerSecond: number;
  /** From the creation of each task to its end. */
  readonly doneMs: readonly number[];
}

export interface Measured {
  readonly clients: number;
  readonly tasksPerSecond: number;
  readonly alone: readonly Turn[];
  readonly live: readonly Turn[];
  readonly polling: readonly Turn[];
  /** Times of each list, in milliseconds, by round. */
  readonly lists: readonly { readonly name: string; readonly rounds: readonly (readonly number[])[] }[];
  readonly listedTasks: number;
  /** Loads of the first page, with the browser's CPU slowed down. */
  readonly pages: readonly PageTimes[];
  readonly cpuSlowdown: number;
}

/** At most 15 % more. */
const CPU_GOAL = 0.87;
const LIST_P95_MS_MAX = 100;
const PAINTED_MS_MAX = 1_500;
const USABLE_MS_MAX = 3_000;
const BOUND = { peer_name: "what it may take", goal: 1 };

export function rowsOf(measured: Measured): readonly Row[] {
  const { clients, tasksPerSecond, alone, live, polling, lists, listedTasks, pages, cpuSlowdown } = measured;
  const under = { size: `${tasksPerSecond} tasks/s`, threads: clients };
  const cpu = (turns: readonly Turn[]) => median(turns.map(({ cpuMsPerSecond }) => cpuMsPerSecond));
  const done = (turns: readonly Turn[]) => median(turns.map(({ doneMs }) => percentile(doneMs, 0.95)));
  const used = { ...under, name: "coordinator's CPU with live updates", unit: "ms/s", ours: cpu(live) };
  const ended = { ...under, name: "create to done, p95, with live updates", unit: "ms", ours: done(live) };
  const page = { size: `CPU slowed ${cpuSlowdown}x`, threads: 1, unit: "ms" };
  const painted = median(pages.map(({ paintedMs }) => paintedMs));
  const usable = median(pages.map(({ usableMs }) => usableMs));
  return [
    lessIsBetter({ ...used, peer: cpu(alone), peer_name: "no clients", goal: CPU_GOAL }),
    lessIsBetter({ ...used, peer: cpu(polling), peer_name: "clients that poll a list" }),
    lessIsBetter({ ...ended, peer: done(alone), peer_name: "no clients" }),
    ...lists.map(({ name, rounds }) =>
      lessIsBetter({
        name: `list of tasks, ${name}, p95`,
        size: `${listedTasks} tasks`,
        threads: 1,
        unit: "ms",
        ours: median(rounds.map((times) => percentile(times, 0.95))),
        peer: LIST_P95_MS_MAX,
        ...BOUND,
      }),
    ),
    lessIsBetter({ ...page, name: "first contentful paint", ours: painted, peer: PAINTED_MS_MAX, ...BOUND }),
    lessIsBetter({ ...page, name: "first click has an effect", ours: usable, peer: USABLE_MS_MAX, ...BOUND }),
  ];
}
