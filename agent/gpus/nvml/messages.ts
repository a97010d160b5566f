/** Requests to the process that talks to the driver, and its responses. */
import type { MachineReading } from "./reading.ts";

export interface Question {
  /** How long it may wait for an error to be reported before it reads. */
  readonly waitMs: number;
}

export type Answer =
  | { readonly kind: "read"; readonly reading: MachineReading }
  | { readonly kind: "failed"; readonly why: string };
