/** The log of a service, as pieces of its tasks' logs that come little by little. */

import { readEvents } from "elastic-client/events/read-events.ts";
import type { components } from "elastic-client/gen/schema.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import type { Caller } from "./caller.ts";
import { refused } from "./problem.ts";
import { request } from "./transport.ts";
import { unreachable } from "./unreachable.ts";

type Schemas = components["schemas"];
export type LogPiece = Schemas["LogPiece"];
export type ServiceLogEvent = Schemas["LogBegin"] | LogPiece | Schemas["LogSkipped"];

export interface ServiceLogPlace {
  /** How many of the newest tasks to begin with. */
  readonly tasks: number;
  readonly follow: boolean;
}

/** The events throw an error that is no CliError when the connection is cut. */
export async function openServiceLog(
  caller: Caller,
  serviceId: string,
  { tasks, follow }: ServiceLogPlace,
): Promise<AsyncIterable<ServiceLogEvent>> {
  const query = new URLSearchParams({ tasks: String(tasks), ...(follow ? { follow: "1" } : {}) });
  const path = `/v1/services/${encodeURIComponent(serviceId)}/logs?${query}`;
  const headers = { accept: "text/event-stream, application/problem+json" };
  const response = await request(caller, { method: "GET", path, headers, signal: caller.signal }).catch((error) => {
    throw caller.signal.aborted ? interrupted() : unreachable(caller.url, error);
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (response.ok && response.body !== null && isStream) return eventsOf(response.body);
  const body = await response.json().catch(() => undefined);
  if (response.ok) throw new CliError(`${caller.url} does not respond with logs.`, { code: "not_the_service" });
  throw refused({
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    requestId: response.headers.get("x-request-id"),
    body,
  });
}

async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServiceLogEvent> {
  for await (const { data } of readEvents(body)) yield JSON.parse(data) as ServiceLogEvent;
}
