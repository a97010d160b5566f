/** Why a workload did not come up. */
import type { AgentFailureReason } from "@elastic/proto/failure-reasons.ts";

export interface StartFailureDetail {
  /** Exit code of the container or child, where it exited. */
  readonly exitCode?: number | null;
  /** The end of what it wrote. */
  readonly logTail?: string;
  readonly cause?: unknown;
}

export class StartFailure extends Error {
  override readonly name = "StartFailure";
  readonly reason: AgentFailureReason;
  readonly exitCode: number | null;
  readonly logTail: string;

  constructor(reason: AgentFailureReason, message: string, detail: StartFailureDetail = {}) {
    super(message, { cause: detail.cause });
    this.reason = reason;
    this.exitCode = detail.exitCode ?? null;
    this.logTail = detail.logTail ?? "";
  }

  /** Any error of a start; what is not a StartFailure already is the machinery's fault. */
  static from(error: unknown): StartFailure {
    if (error instanceof StartFailure) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new StartFailure("internal", `the workload could not be started: ${message}`, { cause: error });
  }
}
