/** Rows of one load on two contenders. Medians over the rounds; a time's percentile is taken in each round first. */
import { lessIsBetter, moreIsBetter, type Row } from "../benchmark/row.ts";
import type { LoadReport } from "../measure/load.ts";
import { median, percentile } from "../measure/statistics.ts";
import { IN_FLIGHT } from "./contender.ts";
import type { CpuPerTask, Measurement } from "./measurement.ts";

/** Reports of all rounds of one load on one contender. */
export type Rounds = readonly LoadReport[];
/** The same, with what it cost. */
export type Costs = readonly Measurement[];

/** What was loaded, as the columns of a row have it. */
export type Load = Pick<Row, "size" | "threads">;

export interface Compared<R extends LoadReport = LoadReport> {
  readonly load: Load;
  readonly ours: readonly R[];
  readonly peer: readonly R[];
  readonly peerName: string;
}

/** Callers that never wait. */
export function saturated(size: string): Load {
  return { size, threads: IN_FLIGHT };
}

export function atRate(perSecond: number): Load {
  return { size: `${perSecond} tasks/s`, threads: 0 };
}

export function rateRow(name: string, { load, ours, peer, peerName }: Compared, goal?: number): Row {
  const of = { ...load, name, unit: "tasks/s", peer_name: peerName, ours: rateOf(ours), peer: rateOf(peer) };
  return moreIsBetter({ ...of, ...(goal === undefined ? {} : { goal }) });
}

/** Of the time from the creation to the start of the work, or to its end being known. */
export function timeRow(until: "start" | "done", fraction: number, compared: Compared, goal?: number): Row {
  const { load, ours, peer, peerName } = compared;
  const of = (rounds: Rounds): number =>
    median(rounds.map((round) => percentile(until === "start" ? round.startMs : round.doneMs, fraction)));
  const name = `create to ${until}, p${fraction * 100}`;
  const measured = { ...load, name, unit: "ms", peer_name: peerName, ours: of(ours), peer: of(peer) };
  return lessIsBetter({ ...measured, ...(goal === undefined ? {} : { goal }) });
}

export function cpuRow(what: string, cpu: (cpu: CpuPerTask) => number, compared: Compared<Measurement>): Row {
  const { load, ours, peer, peerName } = compared;
  const of = (rounds: Costs): number => median(rounds.map((round) => cpu(round.cpu)));
  const name = `CPU a task, ${what}`;
  return lessIsBetter({ ...load, name, unit: "ms", peer_name: peerName, ours: of(ours), peer: of(peer) });
}

export function rateOf(rounds: Rounds): number {
  return median(rounds.map(({ tasksPerSecond }) => tasksPerSecond));
}
