/** What vs_halo2 prints: an object a line, of which some name what was left out instead. */

export interface Measured {
  /** As the program's command line has it. */
  readonly workload: string;
  readonly name: string;
  readonly size: string;
  readonly side: string;
  /** The whole proof, or one of its stages. */
  readonly metric: string;
  readonly unit: string;
  readonly median: number;
  readonly min: number;
  readonly samples: number;
}

/** What was to be measured and was not, and why. */
export interface LeftOut {
  readonly left_out: string;
}

export function isLeftOut(line: Measured | LeftOut): line is LeftOut {
  return "left_out" in line;
}
