/** A log, as bytes that come little by little. */
import { CliError, interrupted } from "../errors/cli-error.ts";
import type { Caller } from "./caller.ts";
import { refused } from "./problem.ts";
import { request } from "./transport.ts";
import { unreachable } from "./unreachable.ts";

export interface OpenLog {
  /** Which attempt or run the bytes are of, as the header says. */
  readonly number: number;
  /** Throws an error that is no CliError when the connection is cut. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** `header` is the one that numbers the log. */
export async function openLog(caller: Caller, path: string, header: string): Promise<OpenLog> {
  const headers = { accept: "text/plain, application/problem+json" };
  const response = await request(caller, { method: "GET", path, headers, signal: caller.signal }).catch((error) => {
    throw caller.signal.aborted ? interrupted() : unreachable(caller.url, error);
  });
  const number = Number(response.headers.get(header));
  if (response.ok && response.body !== null && number > 0) return { number, bytes: response.body };
  const body = await response.json().catch(() => undefined);
  if (response.ok) throw new CliError(`${caller.url} does not respond with logs.`, { code: "not_the_service" });
  throw refused({
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    requestId: response.headers.get("x-request-id"),
    body,
  });
}
