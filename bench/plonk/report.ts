/** What vs_halo2 prints: an object a line. */

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
