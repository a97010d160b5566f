/** What was measured, as rows: ours compared with each peer, for each workload and metric. */
import { lessIsBetter, type Row } from "../benchmark/row.ts";
import type { Measured } from "./report.ts";

/** The side that is not a peer: the folding library on the acceleration library. */
export const OURS = "elastic-folding, zkaccel";

const NOVA = "nova-snark";
const STEP = "step";

/** The least ratios of steps to nova-snark, by workload; on a CPU with AVX-512 IFMA. */
const GOALS: Readonly<Record<string, number>> = {
  trivial: 5,
  "minroot-32768": 8,
  "poseidon-300": 6,
};

/** Throws where a peer was measured and ours was not: a row that is left out would look like one that was won. */
export function rowsOf(report: readonly Measured[]): readonly Row[] {
  return report.filter(({ side }) => side !== OURS).flatMap((peer) => rowsFor(peer, report));
}

function rowsFor(peer: Measured, report: readonly Measured[]): readonly Row[] {
  const same = ({ side, workload, metric, unit, threads }: Measured): boolean =>
    side === OURS &&
    workload === peer.workload &&
    metric === peer.metric &&
    unit === peer.unit &&
    threads === peer.threads;
  const ours = report.find(same);
  if (ours === undefined) throw new Error(`${OURS} was not measured: ${peer.workload}, ${peer.metric}`);
  const median = row(ours, peer, "median");
  return peer.metric === STEP ? [median, row(ours, peer, "min")] : [median];
}

function row(ours: Measured, peer: Measured, statistic: "median" | "min"): Row {
  const { name, size, threads, unit, metric, workload } = peer;
  const goal = metric === STEP && statistic === "median" && peer.side === NOVA ? GOALS[workload] : undefined;
  return lessIsBetter({
    name: `${name}, ${metric}${statistic === "min" ? ", the quickest" : ""}`,
    size,
    threads,
    unit,
    ours: ours[statistic],
    peer: peer[statistic],
    peer_name: peer.side,
    ...(goal === undefined ? {} : { goal }),
  });
}
