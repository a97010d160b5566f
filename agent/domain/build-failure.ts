/** Why a build ended without an image, for the user who wrote its source. */
import type { AgentBuildFailureReason } from "@elastic/proto/failure-reasons.ts";

export class BuildFailure extends Error {
  override readonly name = "BuildFailure";
  readonly reason: AgentBuildFailureReason;
  /** Line of the build file; null where none is to blame. */
  readonly line: number | null;

  constructor(
    reason: AgentBuildFailureReason,
    message: string,
    detail: { readonly line?: number | null; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: detail.cause });
    this.reason = reason;
    this.line = detail.line ?? null;
  }

  /** Any error of a build; what is not a BuildFailure already is the machine's fault. */
  static from(error: unknown): BuildFailure {
    if (error instanceof BuildFailure) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new BuildFailure("internal", `the build could not be run: ${message}`, { cause: error });
  }
}

/** Whether a disk had no room, or a failure is of that. */
export function isOutOfSpace(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" || (cause instanceof Error && isOutOfSpace(cause));
}
