/** What was measured, as rows: whole proofs first and then their stages, ours compared with the peer. */
import { lessIsBetter, type Row } from "../benchmark/row.ts";
import type { Measured } from "./report.ts";

/** The side that is not a peer. */
export const OURS = "elastic-plonk";

const PROOF = "proof";
/** In the order in which a proof has them. */
const METRICS: readonly string[] = [PROOF, "witness", "lookups", "products", "quotient", "evaluations", "openings"];
/** The least ratio of whole proofs: what was published of the original's acceleration, end to end. */
const GOAL = 4;
/** Stages that one of the sides has in less are nothing. */
const NOTHING_MS = 0.05;

/** Throws where a peer was measured and ours was not: a row that is left out would look like one that was won. */
export function rowsOf(report: readonly Measured[], threads: number): readonly Row[] {
  const workloads = [...new Set(report.map(({ workload }) => workload))];
  return workloads.flatMap((workload) => METRICS.flatMap((metric) => rowFor(report, workload, metric, threads)));
}

function rowFor(report: readonly Measured[], workload: string, metric: string, threads: number): readonly Row[] {
  const of = report.filter((one) => one.workload === workload && one.metric === metric);
  const ours = of.find(({ side }) => side === OURS);
  const peer = of.find(({ side }) => side !== OURS);
  if (ours === undefined || peer === undefined) throw new Error(`one side was not measured: ${workload}, ${metric}`);
  if (metric !== PROOF && Math.min(ours.median, peer.median) < NOTHING_MS) return [];
  const { name, size, unit } = ours;
  const figures = { name: `${name}, ${metric}`, size, threads, unit, ours: ours.median, peer: peer.median };
  return [lessIsBetter({ ...figures, peer_name: peer.side, ...(metric === PROOF ? { goal: GOAL } : {}) })];
}
