/** One comparison of a benchmark. */

export interface Row {
  readonly name: string;
  /** What was worked on. */
  readonly size: string;
  /** Callers at a time; 0 where a rate was given instead. */
  readonly threads: number;
  readonly unit: string;
  readonly ours: number;
  readonly peer: number;
  readonly peer_name: string;
  /** Above 1 means that ours is better, whatever the unit. */
  readonly ratio: number;
  /** The least ratio that is aimed at; null where the row only informs. */
  readonly goal: number | null;
}

type Measured = Omit<Row, "ratio" | "goal"> & { readonly goal?: number };

/** Of rates and the like. */
export function moreIsBetter(measured: Measured): Row {
  return row(measured, measured.ours / measured.peer);
}

/** Of times and the like. */
export function lessIsBetter(measured: Measured): Row {
  return row(measured, measured.peer / measured.ours);
}

function row(measured: Measured, ratio: number): Row {
  const { goal = null, ours, peer, ...rest } = measured;
  return { ...rest, ours: rounded(ours), peer: rounded(peer), ratio: rounded(ratio), goal };
}

/** Four digits are more than a benchmark knows. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
