/** An error for the user: what went wrong, what to do next, and the exit code. */
import { EXIT, type ExitCode } from "./exit-code.ts";

export interface CliErrorDetails {
  /** One sentence: the next step. */
  readonly next?: string;
  readonly exitCode?: ExitCode;
  /** The server's code, such as `service_not_ready`. */
  readonly code?: string;
  /** Names the call in the server's logs. */
  readonly requestId?: string;
  /** What of the request the server's errors are about, as JSON pointers. */
  readonly pointers?: readonly string[];
  /** The last lines of a program that failed, for the JSON output; in text the command prints them as they come. */
  readonly output?: readonly string[];
  readonly cause?: unknown;
}

export class CliError extends Error {
  override readonly name = "CliError";
  readonly next: string | undefined;
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly pointers: readonly string[];
  readonly output: readonly string[];

  constructor(message: string, details: CliErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.next = details.next;
    this.exitCode = details.exitCode ?? EXIT.failure;
    this.code = details.code ?? "failure";
    this.requestId = details.requestId;
    this.pointers = details.pointers ?? [];
    this.output = details.output ?? [];
  }
}

/** The command was put wrongly. */
export function usageError(message: string, next?: string): CliError {
  return new CliError(message, { exitCode: EXIT.usage, code: "usage", ...(next === undefined ? {} : { next }) });
}

/** Ctrl-C, at a prompt or while waiting. */
export function interrupted(): CliError {
  return new CliError("Interrupted.", { exitCode: EXIT.interrupted, code: "interrupted" });
}
