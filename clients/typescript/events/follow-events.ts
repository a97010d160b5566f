/** A stream of events that outlives its connections: it resumes after the last event that came. */
import { ConnectionError } from "../errors/connection-error.ts";
import { ElasticError } from "../errors/elastic-error.ts";
import { UnexpectedResponseError } from "../errors/unexpected-response-error.ts";
import type { Connection } from "../http/connection.ts";
import { pause } from "../http/pause.ts";
import { readRejection } from "../http/read-response.ts";
import { type RetryPolicy, retryDelayMs } from "../http/retry.ts";
import { send } from "../http/send.ts";
import type { ServerEvent } from "./parse-events.ts";
import { readEvents } from "./read-events.ts";

/** The service sends something every 15 seconds. */
const SILENCE_MS_MAX = 45_000;

export interface Followed {
  /** With its query. */
  readonly path: string;
  /** Resume after this event. */
  readonly lastEventId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** In place of the connection's own: how often in a row a connection may fail before an event comes. */
  readonly retries?: RetryPolicy;
  /** Called with what cut the connection, before the pause. */
  readonly onCut?: (error: Error, delayMs: number) => void;
  /** Whether an event is the stream's last: then its end is no cut. */
  readonly isLast?: (event: ServerEvent) => boolean;
}

/** Rejects with an ElasticError once retries do not help, or with the signal's reason. */
export async function* followEvents(connection: Connection, followed: Followed): AsyncGenerator<ServerEvent> {
  const { signal, isLast = () => false, retries = connection.retries } = followed;
  let { lastEventId } = followed;
  for (let attempts = 1; ; attempts += 1) {
    try {
      const body = await open(connection, followed, lastEventId);
      // The service has nothing further.
      if (body === null) return;
      for await (const event of readEvents(body, SILENCE_MS_MAX)) {
        attempts = 0;
        lastEventId = event.id ?? lastEventId;
        yield event;
        if (isLast(event)) return;
      }
      throw new ConnectionError("unreachable", "The stream of events ended early.");
    } catch (cause) {
      signal?.throwIfAborted();
      const error = connectionErrorOf(connection, cause);
      const failed = { error, attempts: Math.max(1, attempts), isRepeatable: true };
      const delayMs = retryDelayMs(retries, failed, { random: Math.random(), nowMs: Date.now() });
      if (delayMs === null) throw error;
      followed.onCut?.(error, delayMs);
      await pause(delayMs, signal);
    }
  }
}

async function open(
  connection: Connection,
  { path, signal }: Followed,
  lastEventId: string | undefined,
): Promise<ReadableStream<Uint8Array> | null> {
  const headers = {
    accept: "text/event-stream, application/problem+json",
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
  };
  const response = await send(connection, { method: "GET", path, headers, signal });
  if (response.status === 204) return null;
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (response.ok && response.body !== null && isStream) return response.body;
  if (!response.ok) throw await readRejection(response);
  throw new UnexpectedResponseError("not_the_service", `${connection.url} does not respond with events.`);
}

/** An exception of whoever reads the events is not caught here: a generator's caller throws elsewhere. */
function connectionErrorOf({ url }: Connection, cause: unknown): ElasticError {
  if (cause instanceof ElasticError) return cause;
  return new ConnectionError("unreachable", `The connection to ${url} was cut.`, cause);
}
