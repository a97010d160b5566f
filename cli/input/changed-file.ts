/** A file that was sent with a key before and has changed since. */
import { CliError } from "../errors/cli-error.ts";

export function isOfChangedFile(error: unknown): error is CliError {
  return error instanceof CliError && error.code === "idempotency_key_reused";
}

/** Another key for the changed file, as the server suggests, would create the tasks of the other lines again. Other errors stay as they are. */
export function explainChangedFile(error: unknown, idempotencyKey: string): unknown {
  if (!isOfChangedFile(error)) return error;
  const { code, exitCode, requestId } = error;
  const message = `The inputs or the priority are others than those that were sent with --idempotency-key ${idempotencyKey} before. Nothing was created now.`;
  return new CliError(message, {
    next: "Run it as it was before to print all ids. Put lines that were added into another file, and send that with another key.",
    code,
    exitCode,
    cause: error,
    ...(requestId === undefined ? {} : { requestId }),
  });
}
