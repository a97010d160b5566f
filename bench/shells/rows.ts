/** What was measured, as rows. Times of keys are taken over all rounds; all else as the median of the rounds. */

import { lessIsBetter, moreIsBetter, type Row } from "../benchmark/row.ts";
import { median, percentile } from "../measure/statistics.ts";

type Rounds = readonly number[];
interface Pair {
  readonly ours: Rounds;
  readonly plain: Rounds;
}

/** Milliseconds from the creation of each task to its start, of one round. */
export type Starts = readonly number[];

export interface Measured {
  readonly keys: Pair;
  readonly in: Pair;
  readonly out: Pair;
  readonly copiedMebibytes: number;
  readonly atOnce: Pair & { readonly sessions: number };
  readonly stopped: Pair & { readonly readers: number };
  readonly starts: {
    readonly perSecond: number;
    readonly alone: readonly Starts[];
    /** While bytes are copied both ways through the coordinator, through a gateway apart, and through plain sshd. */
    readonly together: readonly Starts[];
    readonly apart: readonly Starts[];
    readonly plain: readonly Starts[];
  };
}

const PLAIN = { peer_name: "plain sshd" };

export function rowsOf(measured: Measured): readonly Row[] {
  const { keys, copiedMebibytes, atOnce, stopped } = measured;
  const key = (fraction: number): Row =>
    lessIsBetter({
      name: `key to echo, p${fraction * 100}`,
      size: "a key",
      threads: 1,
      unit: "ms",
      ours: percentile(keys.ours, fraction),
      peer: percentile(keys.plain, fraction),
      ...PLAIN,
    });
  const copied = (name: string, { ours, plain }: Pair): Row =>
    moreIsBetter({
      name,
      size: `${copiedMebibytes} MiB`,
      threads: 1,
      unit: "MiB/s",
      ours: median(ours),
      peer: median(plain),
      ...PLAIN,
    });
  return [
    key(0.5),
    key(0.95),
    copied("copy in", measured.in),
    copied("copy out", measured.out),
    lessIsBetter({
      name: "sessions at once, all responding",
      size: "echo",
      threads: atOnce.sessions,
      unit: "s",
      ours: median(atOnce.ours),
      peer: median(atOnce.plain),
      ...PLAIN,
    }),
    lessIsBetter({
      name: "held for readers that stopped",
      size: "endless",
      threads: stopped.readers,
      unit: "MiB",
      ours: Math.max(...stopped.ours),
      peer: Math.max(...stopped.plain),
      ...PLAIN,
    }),
    ...starts(measured),
  ];
}

function starts({ starts }: Measured): readonly Row[] {
  const p = (rounds: readonly Starts[], fraction: number) => median(rounds.map((one) => percentile(one, fraction)));
  const startsWith = (
    what: string,
    ours: readonly Starts[],
    peer: readonly Starts[],
    peerName: string,
  ): readonly Row[] =>
    [0.5, 0.99].map((fraction) =>
      lessIsBetter({
        name: `create to start, p${fraction * 100}, ${what}`,
        size: `${starts.perSecond} tasks/s`,
        threads: 0,
        unit: "ms",
        ours: p(ours, fraction),
        peer: p(peer, fraction),
        peer_name: peerName,
      }),
    );
  return [
    ...startsWith("copies through its coordinator", starts.together, starts.alone, "no copies"),
    ...startsWith("copies through its coordinator", starts.together, starts.plain, "copies through plain sshd"),
    ...startsWith("copies through a gateway apart", starts.apart, starts.plain, "copies through plain sshd"),
  ];
}
