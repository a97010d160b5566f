/** Ctrl-C during a wait ends the wait alone: what was waited for continues, and the message says how to follow it. */
import { CliError } from "./cli-error.ts";

export interface Continuing {
  /** What continues, as `The task <id>`. */
  readonly what: string;
  /** How to follow it, one sentence. */
  readonly next: string;
}

/** The outcome of `wait`; an interruption, wherever in the wait it came, is thrown as one that names what continues. */
export async function waiting<T>(wait: Promise<T>, continuing: Continuing): Promise<T> {
  return await wait.catch((error: unknown) => {
    throw stoppedWaiting(error, continuing);
  });
}

/** Only an interruption is replaced. */
function stoppedWaiting(error: unknown, { what, next }: Continuing): unknown {
  if (!(error instanceof CliError) || error.code !== "interrupted") return error;
  const { exitCode, code } = error;
  return new CliError(`Interrupted. ${what} continues.`, { exitCode, code, next, cause: error });
}
