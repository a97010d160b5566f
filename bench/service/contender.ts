/** What takes part in the benchmark of the service. */
import type { LoadOrder, LoadReport } from "../measure/load.ts";

export interface Contender {
  readonly name: string;
  readonly version: string;
  measure(order: LoadOrder): Promise<LoadReport>;
  stop(): Promise<void>;
}

/** Tasks that a contender's workers take at a time; the same for all. */
export const WORKERS_AT_A_TIME = 64;
/** Callers that keep a contender saturated. */
export const IN_FLIGHT = 64;
/** The input of each task: small, as a real one. */
export const INPUT = { private_input: [1, 2], public_input: "0123456789".repeat(8) };
