/** An error of the client library, as the command prints it. */
import { ConnectionError } from "elastic-client/errors/connection-error.ts";
import { ProblemError } from "elastic-client/errors/problem-error.ts";
import { UnexpectedResponseError } from "elastic-client/errors/unexpected-response-error.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import type { Caller, KeylessCaller } from "./caller.ts";
import { refused } from "./problem.ts";
import { tooSlow, unreachable } from "./unreachable.ts";

/** What a call of the service ended with, to throw. */
export function explainFailedCall({ url, signal }: Caller | KeylessCaller, error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof ProblemError) return refused(error);
  if (error instanceof UnexpectedResponseError) {
    return error.kind === "too_large"
      ? new CliError(error.message, { code: "answer_too_large" })
      : new CliError(`${url} responded, but not as the Elastic Proving Service.`, {
          code: "not_the_service",
          next: "Check the address: `elastic login --url <address>` sets another one.",
        });
  }
  if (signal.aborted) return interrupted();
  if (!(error instanceof ConnectionError)) return unreachable(url, error);
  return error.kind === "timeout" ? tooSlow(error) : unreachable(url, error.cause ?? error);
}
