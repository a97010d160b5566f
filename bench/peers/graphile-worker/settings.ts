/** What both processes of the graphile-worker contender are started with. */
export interface GraphileSettings {
  readonly connectionString: string;
  /** Apart from those of other workers on the same database. */
  readonly task: string;
  readonly concurrency: number;
  readonly input: object;
}

/** Connections of each process; more only make the database switch more on few cores. */
export const CONNECTIONS = 10;
