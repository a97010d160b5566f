/** What takes part in the benchmark of the service. */
import type { LoadOrder, LoadReport } from "../measure/load.ts";

export interface Contender {
  readonly name: string;
  readonly version: string;
  /** Tasks that its workers take at a time; null where there are no workers. */
  readonly workers: number | null;
  measure(order: LoadOrder): Promise<LoadReport>;
  stop(): Promise<void>;
}

/** Tasks that our workload takes at a time, and the most that a peer is tried with. */
export const WORKERS_AT_A_TIME = 64;
/** Callers that keep a contender saturated. */
export const IN_FLIGHT = 64;
/** The input of each task: small, as a real one. */
export const INPUT = { private_input: [1, 2], public_input: "0123456789".repeat(8) };
