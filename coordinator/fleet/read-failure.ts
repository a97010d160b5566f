/** What an agent says of a failure, read for a record: bounded, its reason one of the list. */
import { COORDINATOR_FAILURE_REASONS } from "@elastic/proto/failure-reasons.ts";
import { type FailureReason, parseReason } from "../domain/failure.ts";
import { FAILURE_MESSAGE_BYTES_MAX, LOG_TAIL_BYTES_MAX } from "./limits.ts";
import { headOf, tailOf } from "./wire-text.ts";

interface WireFailure {
  readonly reason: string;
  readonly message: string;
  readonly exitCode?: number | undefined;
  readonly logTail: string;
}

export interface ReadFailure {
  readonly reason: FailureReason;
  readonly message: string;
  readonly exitCode: number | null;
  readonly logTail: string;
}

/** An agent that reports one of these counts as at fault itself. */
const REASONS_OF_COORDINATORS: readonly FailureReason[] = COORDINATOR_FAILURE_REASONS;

/** Null where its reason is not of the contract as it is here: a later version knows what follows from it. */
export function readFailure(failure: WireFailure): ReadFailure | null {
  const reason = parseReason(failure.reason);
  if (reason === null) return null;
  return {
    reason: REASONS_OF_COORDINATORS.includes(reason) ? "internal" : reason,
    message: headOf(failure.message, FAILURE_MESSAGE_BYTES_MAX) || "the agent gave no message",
    exitCode: failure.exitCode ?? null,
    logTail: tailOf(failure.logTail, LOG_TAIL_BYTES_MAX),
  };
}
