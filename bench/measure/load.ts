/** How a contender is loaded, and what came of it. Both travel between processes. */

/** `saturate`: a fixed number in flight, the next as soon as one is done. `rate`: one after the other, at set times. */
export type LoadOrder =
  | { readonly kind: "saturate"; readonly what: string; readonly inFlight: number; readonly seconds: number }
  | { readonly kind: "rate"; readonly what: string; readonly perSecond: number; readonly seconds: number };

/** One unit of work, as its submitter saw it. */
export interface Finished {
  /** When the work itself began, in microseconds since the epoch; null where it is not reported. */
  readonly startedUs: number | null;
  /** How many tasks the unit was. */
  readonly tasks: number;
}

/** Submits one unit and waits for its end. */
export type Submit = () => Promise<Finished>;

export interface LoadReport {
  readonly tasks: number;
  readonly tasksPerSecond: number;
  /** From the submission to the begin of the work, milliseconds; empty where it is not reported. */
  readonly startMs: readonly number[];
  /** From the submission to its end being known, milliseconds. */
  readonly doneMs: readonly number[];
}
