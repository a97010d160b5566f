/** What vs_nova prints: an object a line. */

export interface Measured {
  /** As the program's command line has it. */
  readonly workload: string;
  readonly name: string;
  readonly size: string;
  readonly threads: number;
  readonly side: string;
  readonly metric: string;
  readonly unit: string;
  readonly median: number;
  readonly min: number;
  readonly samples: number;
}
