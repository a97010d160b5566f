/** What was measured, as rows: each of ours compared with each peer, and the best of ours with this CPU's multiplications. */
import { lessIsBetter, moreIsBetter, type Row } from "../benchmark/row.ts";
import type { MeasuredRow, Report, Scratch } from "./report.ts";

const OURS = /^zkaccel /;
/** The row of multiplications alone, of which others are shown as a share. */
const RATE = "multiplications in cache";
const MEBIBYTE = 2 ** 20;

/** To halo2curves with two threads: [with AVX-512 IFMA, without]. */
const GOALS: Readonly<Record<string, readonly [number, number]>> = {
  "multi-scalar multiplication, 2^18": [3, 1.3],
  "number theoretic transform, 2^20": [2.5, 1.3],
  "batch inversion, 2^20": [3, 3],
};

/** `shares`: what few calls show of a rate is too little to compute shares of it, which would then exceed all of it. */
export function rowsOf({ rows, scratch }: Report, options: { readonly shares: boolean }): readonly Row[] {
  const work = rows.filter(({ name }) => name !== RATE);
  const shares = options.shares ? work.flatMap((row) => shareOfRate(row, rows)) : [];
  return [...work.flatMap(besidePeers), ...rates(rows), ...shares, ...scratch.map(memory)];
}

/** What was taken compared with what was planned: below 1, the plan would be broken. */
function memory({ name, size, threads, planned_bytes, taken_bytes }: Scratch): Row {
  const [ours, peer] = [taken_bytes / MEBIBYTE, planned_bytes / MEBIBYTE];
  return lessIsBetter({
    name: `${name}, scratch`,
    size,
    threads,
    unit: "MiB",
    ours,
    peer,
    peer_name: "planned",
    goal: 1,
  });
}

function besidePeers({ name, size, threads, contenders }: MeasuredRow): readonly Row[] {
  const ours = contenders.filter((one) => OURS.test(one.name));
  const peers = contenders.filter((one) => !OURS.test(one.name));
  return ours.flatMap((own) =>
    peers.map((peer) => {
      const goal = goalOf({ name, size, threads, ours: own.name, peer: peer.name });
      return lessIsBetter({
        name: `${name}, ${isa(own.name)}`,
        size,
        threads,
        unit: "ms",
        ours: own.median,
        peer: peer.median,
        peer_name: peer.name,
        ...(goal === undefined ? {} : { goal }),
      });
    }),
  );
}

interface Comparison {
  readonly name: string;
  readonly size: string;
  readonly threads: number;
  readonly ours: string;
  readonly peer: string;
}

function goalOf({ name, size, threads, ours, peer }: Comparison): number | undefined {
  if (threads !== 2 || peer !== "halo2curves") return undefined;
  return GOALS[`${name}, ${size}`]?.[isa(ours) === "ifma" ? 0 : 1];
}

/** Millions of multiplications a second: the best of ours compared with the others. */
function rates(rows: readonly MeasuredRow[]): readonly Row[] {
  return rows
    .filter(({ name }) => name === RATE)
    .flatMap((row) => {
      const [best, ...others] = row.contenders;
      if (best === undefined) return [];
      const rate = (median: number): number => row.multiplications / median / 1e3;
      return others.map((other) =>
        moreIsBetter({
          name: `${RATE}, ${isa(best.name)}`,
          size: row.size,
          threads: row.threads,
          unit: "million/s",
          ours: rate(best.median),
          peer: rate(other.median),
          peer_name: other.name,
        }),
      );
    });
}

/** How much of its time the work would take if it were multiplications alone, as fast as they were seen to be. */
function shareOfRate(row: MeasuredRow, rows: readonly MeasuredRow[]): readonly Row[] {
  const rate = rows.find(({ name, threads }) => name === RATE && threads === row.threads);
  const [own, alone] = [row.contenders[0], rate?.contenders[0]];
  if (rate === undefined || own === undefined || alone === undefined || row.multiplications === 0) return [];
  const needed = (row.multiplications / rate.multiplications) * alone.median;
  return [
    moreIsBetter({
      name: `${row.name}, share of multiplications in cache`,
      size: row.size,
      threads: row.threads,
      unit: "%",
      ours: (100 * needed) / own.median,
      peer: 100,
      peer_name: RATE,
    }),
  ];
}

function isa(name: string): string {
  return name.replace(OURS, "");
}
