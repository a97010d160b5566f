/** What was measured, as rows. Medians over the rounds; a percentile is taken in each round first. */

import { lessIsBetter, type Row } from "../benchmark/row.ts";
import { median, percentile } from "../measure/statistics.ts";
import { CACHES, type Cache, type Seconds } from "./deploy-times.ts";
import type { ProofTimes } from "./proof-times.ts";

export interface Measured extends ProofTimes {
  readonly cores: number;
  readonly sourceKibibytes: number;
  readonly ours: readonly Seconds[];
  readonly cargo: readonly Seconds[];
  readonly proofsPerSecond: number;
}

/** Proofs next to hostile builds take at most half as long again. */
const PROOFS_GOAL = 1 / 1.5;

const PEERS: Readonly<Record<Cache, readonly [name: string, peer: string]>> = {
  cold: ["build and deploy, cold cache", "cargo build, empty target"],
  warm: ["build and deploy, warm cache", "cargo build, nothing changed"],
  edited: ["build and deploy, one line edited", "cargo build, one line edited"],
};

export function rowsOf(measured: Measured): readonly Row[] {
  const { cores, sourceKibibytes, ours, cargo, proofsPerSecond, alone, disturbed } = measured;
  const p = (rounds: readonly (readonly number[])[], fraction: number) =>
    median(rounds.map((times) => percentile(times, fraction)));
  return [
    ...CACHES.map((cache) =>
      lessIsBetter({
        name: PEERS[cache][0],
        size: `${Math.round(sourceKibibytes)} KiB of source`,
        threads: cores,
        unit: "s",
        ours: median(ours.map((seconds) => seconds[cache])),
        peer: median(cargo.map((seconds) => seconds[cache])),
        peer_name: PEERS[cache][1],
      }),
    ),
    ...([0.5, 0.95] as const).map((fraction) =>
      lessIsBetter({
        name: `proofs, p${fraction * 100}, next to hostile builds`,
        size: `${proofsPerSecond} proofs/s`,
        threads: 0,
        unit: "ms",
        ours: p(disturbed, fraction),
        peer: p(alone, fraction),
        peer_name: "no builds",
        ...(fraction === 0.95 ? { goal: PROOFS_GOAL } : {}),
      }),
    ),
  ];
}
