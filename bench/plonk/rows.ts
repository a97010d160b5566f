/** What was measured, as rows: whole proofs first and then their stages, ours compared with each peer. */
import { lessIsBetter, type Row } from "../benchmark/row.ts";
import type { Measured } from "./report.ts";

const PROOF = "proof";
/** In the order in which a proof has them. */
const METRICS: readonly string[] = [PROOF, "witness", "lookups", "products", "quotient", "evaluations", "openings"];
/** Stages that one of the sides has in less are nothing. */
const NOTHING_MS = 0.05;

export interface Comparison {
  /** The side that is not a peer. */
  readonly ours: string;
  readonly threads: number;
  /** The least ratio of whole proofs to a peer. */
  goal(peer: string, workload: string): number | undefined;
}

/** Throws where a peer was measured and ours was not: a row that is left out would look like one that was won. */
export function rowsOf(report: readonly Measured[], comparison: Comparison): readonly Row[] {
  const workloads = [...new Set(report.map(({ workload }) => workload))];
  const peers = [...new Set(report.map(({ side }) => side))].filter((side) => side !== comparison.ours);
  return workloads.flatMap((workload) =>
    peers.flatMap((peer) => METRICS.flatMap((metric) => rowFor(report, { workload, peer, metric }, comparison))),
  );
}

interface Place {
  readonly workload: string;
  readonly peer: string;
  readonly metric: string;
}

function rowFor(report: readonly Measured[], place: Place, { ours: us, threads, goal }: Comparison): readonly Row[] {
  const { workload, peer: them, metric } = place;
  const of = report.filter((one) => one.workload === workload && one.metric === metric);
  const ours = of.find(({ side }) => side === us);
  const peer = of.find(({ side }) => side === them);
  if (ours === undefined) throw new Error(`ours was not measured: ${workload}, ${metric}`);
  // One that cannot make this proof is named in a note.
  if (peer === undefined) return [];
  if (metric !== PROOF && Math.min(ours.median, peer.median) < NOTHING_MS) return [];
  const { name, size, unit } = ours;
  const figures = { name: `${name}, ${metric}`, size, threads, unit, ours: ours.median, peer: peer.median };
  const least = metric === PROOF ? goal(them, workload) : undefined;
  return [lessIsBetter({ ...figures, peer_name: them, ...(least === undefined ? {} : { goal: least }) })];
}
