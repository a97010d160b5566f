/** A server that a contender of the benchmark keeps its tasks in. */

export interface ServerPlace {
  /** For data and logs; on a real disk. */
  readonly folder: string;
  /** Where programs are looked for. */
  readonly path: string;
}

export interface Server {
  readonly pid: number;
  readonly port: number;
  readonly version: string;
  stop(): Promise<void>;
}
