/** Ctrl-C during a wait ends the wait alone: what was waited for continues, and the user is told how to follow it. */
import { CliError } from "./cli-error.ts";

export interface Continuing {
  /** What continues, as `The task <id>`. */
  readonly what: string;
  /** How to follow it, one sentence. */
  readonly next: string;
}

/** The error to throw for one that ended a wait; only an interruption is replaced. */
export function stoppedWaiting(error: unknown, { what, next }: Continuing): unknown {
  if (!(error instanceof CliError) || error.code !== "interrupted") return error;
  const { exitCode, code } = error;
  return new CliError(`Interrupted. ${what} continues.`, { exitCode, code, next, cause: error });
}
