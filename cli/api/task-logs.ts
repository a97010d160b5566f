/** The log of an attempt, as bytes that come little by little. */
import { CliError, interrupted } from "../errors/cli-error.ts";
import type { Caller } from "./client.ts";
import { refused } from "./problem.ts";
import { request } from "./transport.ts";
import { unreachable } from "./unreachable.ts";

export interface LogPlace {
  /** Undefined for the newest. */
  readonly attempt: number | undefined;
  readonly offset: number;
  readonly follow: boolean;
}

export interface OpenLog {
  readonly attempt: number;
  /** Throws an error that is no CliError when the connection is cut. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export async function openLog(caller: Caller, taskId: string, place: LogPlace): Promise<OpenLog> {
  const query = new URLSearchParams({
    offset: String(place.offset),
    ...(place.attempt === undefined ? {} : { attempt: String(place.attempt) }),
    ...(place.follow ? { follow: "1" } : {}),
  });
  const path = `/v1/tasks/${encodeURIComponent(taskId)}/logs?${query}`;
  const headers = { accept: "text/plain, application/problem+json" };
  const response = await request(caller, { method: "GET", path, headers, signal: caller.signal }).catch((error) => {
    throw caller.signal.aborted ? interrupted() : unreachable(caller.url, error);
  });
  const attempt = Number(response.headers.get("x-log-attempt"));
  if (response.ok && response.body !== null && attempt > 0) return { attempt, bytes: response.body };
  const body = await response.json().catch(() => undefined);
  if (response.ok) throw new CliError(`${caller.url} does not answer with logs.`, { code: "not_the_service" });
  throw refused({
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    requestId: response.headers.get("x-request-id"),
    body,
  });
}
