/** What was measured, as rows. Times of keys are taken over all rounds; all else as the median of the rounds. */

import { lessIsBetter, moreIsBetter, type Row } from "../benchmark/row.ts";
import { median, percentile } from "../measure/statistics.ts";

type Rounds = readonly number[];
interface Pair {
  readonly ours: Rounds;
  readonly plain: Rounds;
}
interface Triple extends Pair {
  /** With an sshd in the shell. */
  readonly direct: Rounds;
}

/** Milliseconds from the creation of each task to its start, of one round. */
export type Starts = readonly number[];

export interface Measured {
  readonly keys: Triple;
  readonly in: Triple;
  readonly out: Triple;
  readonly copiedMebibytes: number;
  readonly atOnce: Triple & { readonly sessions: number };
  readonly stopped: Triple & { readonly readers: number };
  readonly starts: {
    readonly perSecond: number;
    readonly alone: readonly Starts[];
    /** While bytes are copied both ways through the coordinator, the same with an sshd in the shell, through a gateway apart, and through plain sshd. */
    readonly together: readonly Starts[];
    readonly direct: readonly Starts[];
    readonly apart: readonly Starts[];
    readonly plain: readonly Starts[];
  };
}

const PLAIN = { peer_name: "plain sshd" };

export function rowsOf(measured: Measured): readonly Row[] {
  return [...session(measured, "ours", ""), ...session(measured, "direct", ", sshd in the shell"), ...starts(measured)];
}

/** What a user feels; `of` names whose figures they are. */
function session(measured: Measured, of: "ours" | "direct", suffix: string): readonly Row[] {
  const { keys, copiedMebibytes, atOnce, stopped } = measured;
  const key = (fraction: number): Row =>
    lessIsBetter({
      name: `key to echo, p${fraction * 100}${suffix}`,
      size: "a key",
      threads: 1,
      unit: "ms",
      ours: percentile(keys[of], fraction),
      peer: percentile(keys.plain, fraction),
      ...PLAIN,
    });
  const copied = (name: string, rounds: Triple): Row =>
    moreIsBetter({
      name: `${name}${suffix}`,
      size: `${copiedMebibytes} MiB`,
      threads: 1,
      unit: "MiB/s",
      ours: median(rounds[of]),
      peer: median(rounds.plain),
      ...PLAIN,
    });
  return [
    key(0.5),
    key(0.95),
    copied("copy in", measured.in),
    copied("copy out", measured.out),
    lessIsBetter({
      name: `sessions at once, all responding${suffix}`,
      size: "echo",
      threads: atOnce.sessions,
      unit: "s",
      ours: median(atOnce[of]),
      peer: median(atOnce.plain),
      ...PLAIN,
    }),
    lessIsBetter({
      name: `held for readers that stopped${suffix}`,
      size: "endless",
      threads: stopped.readers,
      unit: "MiB",
      ours: Math.max(...stopped[of]),
      peer: Math.max(...stopped.plain),
      ...PLAIN,
    }),
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
    ...startsWith("copies through an sshd in the shell", starts.direct, starts.alone, "no copies"),
    ...startsWith("copies through an sshd in the shell", starts.direct, starts.plain, "copies through plain sshd"),
    ...startsWith("copies through a gateway apart", starts.apart, starts.plain, "copies through plain sshd"),
  ];
}
