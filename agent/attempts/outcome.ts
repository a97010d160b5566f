/** What the end of a call means for the attempt. Decides and does nothing. */

import type { AgentFailureReason } from "@elastic/proto/failure-reasons.ts";
import type { ProverAnswer, ProverEnd } from "../domain/driver.ts";
import { EngineAwayError } from "../domain/engine-away-error.ts";
import { GpuFaultError } from "../domain/gpu-fault-error.ts";
import { InputCorruptError, InputUnavailableError } from "../domain/input-unavailable.ts";
import { outOfMemoryText } from "../domain/out-of-memory-text.ts";
import type { StartFailure } from "../domain/start-failure.ts";
import type { Collected, StoredResult } from "../results/collect.ts";
import { OutputTooLargeError } from "../results/output-too-large.ts";
import type { Verdict } from "../verify/verdict.ts";

/** Why the agent itself ended a call. */
export type StopCause = "cancelled" | "run_timeout";

export interface FailedOutcome {
  readonly kind: "failed";
  readonly reason: AgentFailureReason;
  readonly message: string;
  readonly exitCode: number | null;
  readonly logTail: string;
}

export type Outcome =
  | { readonly kind: "succeeded"; readonly result: StoredResult }
  | FailedOutcome
  | { readonly kind: "cancelled" };

export interface CallFacts {
  readonly answer: ProverAnswer;
  /** Set with a response of kind `responded`. */
  readonly collected: Collected | null;
  readonly stopped: StopCause | null;
  readonly runTimeoutMs: number;
  /** What the prover may use; null where that is not known. */
  readonly memoryBytes: number | null;
}

export function outcomeOf({ answer, collected, stopped, runTimeoutMs, memoryBytes }: CallFacts): Outcome {
  // A complete response stands, even when a cancel or the limit came while it was on its way.
  const killed = "killedForMemory" in answer && answer.killedForMemory === true;
  if (answer.kind === "responded" && collected !== null) return collectedOutcome(collected, killed, memoryBytes);
  if (stopped === "cancelled") return { kind: "cancelled" };
  const logTail = answer.kind === "responded" ? "" : answer.logTail;
  if (stopped === "run_timeout") {
    return failed("run_timeout", `the prover did not respond within ${runTimeoutMs / 1000} s`, null, logTail);
  }
  switch (answer.kind) {
    case "refused":
      return killed
        ? killedOutcome(answer.message, logTail, memoryBytes)
        : failed("prover_error", answer.message, null, logTail);
    case "garbled":
      return killed
        ? killedOutcome(answer.message, logTail, memoryBytes)
        : failed("bad_output", answer.message, null, logTail);
    case "ended":
      return endedOutcome(answer.end, logTail, memoryBytes);
    case "broken":
      return brokenOutcome(answer.error, logTail);
    default:
      return failed("internal", "the call of the prover ended for no known reason", null, logTail);
  }
}

/** A result that a verifier checked; null when the agent itself ended the check. */
export function verifiedOutcome(result: StoredResult, verdict: Verdict | null, stopped: StopCause | null): Outcome {
  if (verdict === null) {
    if (stopped === "cancelled") return { kind: "cancelled" };
    return internalOutcome("the verifier did not respond within the time that the prover had left for the run");
  }
  switch (verdict.kind) {
    case "accepted":
      return { kind: "succeeded", result };
    case "rejected": {
      const words = verdict.message === null ? "" : `: ${verdict.message}`;
      return failed("bad_output", `the verifier rejected the result${words}`, null, "");
    }
    case "none":
      return failed("internal", verdict.message, verdict.exitCode, verdict.logTail);
  }
}

/** The workload did not come up for the task. */
export function startFailureOutcome(failure: StartFailure): FailedOutcome {
  return failed(failure.reason, failure.message, failure.exitCode, failure.logTail);
}

export function internalOutcome(message: string): FailedOutcome {
  return failed("internal", message, null, "");
}

function collectedOutcome(collected: Collected, killed: boolean, memoryBytes: number | null): Outcome {
  if (killed && (collected.kind === "bad" || collected.kind === "failed")) {
    return killedOutcome(collected.message, "", memoryBytes);
  }
  if (collected.kind === "bad") return failed("bad_output", collected.message, null, "");
  if (collected.kind === "failed") return failed("prover_error", collected.message, null, "");
  return { kind: "succeeded", result: collected };
}

/** A killed process of the prover explains the prover's error response: the owner has to learn of the former. */
function killedOutcome(message: string, logTail: string, memoryBytes: number | null): FailedOutcome {
  const why = outOfMemoryText("a process of the prover", memoryBytes);
  return failed("out_of_memory", `${why}; the prover's response: ${message}`, null, logTail);
}

function endedOutcome(end: ProverEnd, logTail: string, memoryBytes: number | null): FailedOutcome {
  // Another task's cancel took the prover along: the machinery's doing, not this task's.
  if (end.byAgent) return failed("internal", "the agent had to end the prover while it worked", end.exitCode, logTail);
  if (end.outOfMemory) {
    return failed("out_of_memory", outOfMemoryText("the prover", memoryBytes), end.exitCode, logTail);
  }
  const how = end.signal === null ? `exited with code ${end.exitCode}` : `crashed (${end.signal})`;
  return failed("prover_error", `the prover ${how} while it worked on the task`, end.exitCode, logTail);
}

function brokenOutcome(error: unknown, logTail: string): FailedOutcome {
  if (error instanceof OutputTooLargeError)
    return failed("bad_output", `the prover's response cannot be used: ${error.message}`, null, logTail);
  if (error instanceof GpuFaultError) return failed("gpu_fault", error.message, null, logTail);
  if (error instanceof EngineAwayError) return failed("node_lost", error.message, null, logTail);
  if (error instanceof InputCorruptError) return failed("input_corrupt", error.message, null, logTail);
  if (error instanceof InputUnavailableError) return failed("internal", error.message, null, logTail);
  const message = error instanceof Error ? error.message : String(error);
  if (isDiskFull(error)) return failed("node_disk_full", `no room for the result: ${message}`, null, logTail);
  return failed("internal", message, null, logTail);
}

function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ENOSPC" || code === "EDQUOT" || code === "EROFS";
}

function failed(reason: AgentFailureReason, message: string, exitCode: number | null, logTail: string): FailedOutcome {
  return { kind: "failed", reason, message, exitCode, logTail };
}
