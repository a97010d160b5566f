/** What takes part in the benchmark of the service. */
import type { LoadOrder, LoadReport } from "../measure/load.ts";

export interface Contender {
  readonly name: string;
  readonly version: string;
  /** With what it takes part, in words; null where nothing is chosen. */
  readonly settings: string | null;
  /** The process of its load, which may have started workers. */
  readonly client: number;
  /** Its other processes by name, each with all that it started. */
  readonly processes: Readonly<Record<string, number>>;
  measure(order: LoadOrder): Promise<LoadReport>;
  stop(): Promise<void>;
}

/** Tasks that our workload takes at a time, and the most that a peer is tried with. */
export const WORKERS_AT_A_TIME = 64;
/** Callers that keep a contender saturated. */
export const IN_FLIGHT = 64;
/** The input of each task: small, as a real one. */
export const INPUT = { private_input: [1, 2], public_input: "0123456789".repeat(8) };
