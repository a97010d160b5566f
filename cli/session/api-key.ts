/** Keys are checked before they are sent: what is no header value fails inside fetch, with a message that quotes it. */
import { type CliError, usageError } from "../errors/cli-error.ts";

/** Throws a CliError for text that is no header value; `from` says where it came from, as `in ELASTIC_API_KEY`. */
export function assertApiKey(apiKey: string, from: string): void {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw notAKey(from);
}

/** It says nothing of the text: most of that may be a secret. */
function notAKey(from: string): CliError {
  return usageError(`The API key ${from} has characters that no key has.`, "Copy it again.");
}
