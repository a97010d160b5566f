/** Why a task did not succeed: the phase each reason ends in, and whether it is the infrastructure's fault. */
import { FAILURE_REASONS, type FailureReason } from "@elastic/proto/failure-reasons.ts";

export { FAILURE_REASONS, type FailureReason };

/** The phases in which a task ends without success. */
export type FailedPhase = "failed" | "cancelled" | "timed_out" | "expired";

/** What users see. */
export interface Failure {
  readonly reason: FailureReason;
  readonly message: string;
  /** Whether posting the same task again may succeed. */
  readonly retryable: boolean;
  /** How many attempts were started. */
  readonly attempts: number;
  /** Exit code of the prover's container or child process, where it exited. */
  readonly exitCode: number | null;
  /** The end of what the prover wrote, at most 4 KiB. */
  readonly logTail: string;
}

interface ReasonRule {
  readonly phase: FailedPhase;
  /**
   * `final`: the same input would fail again. `infrastructure`: another attempt may do it. `resend`: another attempt
   * would fail too, but the same task sent again may succeed.
   */
  readonly kind: "final" | "infrastructure" | "resend";
}

const RULES: Readonly<Record<FailureReason, ReasonRule>> = {
  queue_timeout: { phase: "expired", kind: "infrastructure" },
  start_timeout: { phase: "timed_out", kind: "infrastructure" },
  run_timeout: { phase: "timed_out", kind: "final" },
  cancelled: { phase: "cancelled", kind: "final" },
  prover_error: { phase: "failed", kind: "final" },
  bad_output: { phase: "failed", kind: "final" },
  out_of_memory: { phase: "failed", kind: "final" },
  image_unavailable: { phase: "failed", kind: "infrastructure" },
  node_lost: { phase: "failed", kind: "infrastructure" },
  node_disk_full: { phase: "failed", kind: "infrastructure" },
  gpu_fault: { phase: "failed", kind: "infrastructure" },
  input_corrupt: { phase: "failed", kind: "resend" },
  internal: { phase: "failed", kind: "infrastructure" },
};

/** The phase a task with this reason ends in. */
export function phaseOf(reason: FailureReason): FailedPhase {
  return RULES[reason].phase;
}

/** Whether the machinery failed rather than the prover or the user. */
export function isInfrastructure(reason: FailureReason): boolean {
  return RULES[reason].kind === "infrastructure";
}

/** Whether sending the same task again may succeed. */
export function isRetryable(reason: FailureReason): boolean {
  return RULES[reason].kind !== "final";
}

/** Reads a reason that came over the wire; null for one that a later version of the contract may have. */
export function parseReason(text: string): FailureReason | null {
  return FAILURE_REASONS.find((reason) => reason === text) ?? null;
}
