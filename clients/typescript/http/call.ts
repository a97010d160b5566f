/** One call of the HTTP interface: bounded in time and size, and repeated where that is safe and may help. */
import { ConnectionError } from "../errors/connection-error.ts";
import { ElasticError } from "../errors/elastic-error.ts";
import type { Connection } from "./connection.ts";
import { pause } from "./pause.ts";
import { readJson } from "./read-response.ts";
import { retryDelayMs } from "./retry.ts";
import { type Request, send } from "./send.ts";

export interface Call extends Request {
  /** How long one attempt may take; the connection's own where it is left out. */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether a second request has no further effect. By default GET, PUT and DELETE, and what has an `idempotency-key`.
   * A stream is sent once in any case.
   */
  readonly isRepeatable?: boolean;
}

/** The parsed body of a 2xx response; null where it has none. Rejects with an ElasticError, or the signal's reason. */
export async function call(connection: Connection, request: Call): Promise<unknown> {
  return await exchange(connection, request, readJson);
}

/** What `read` makes of the response, with its body. */
export async function exchange<T>(
  connection: Connection,
  request: Call,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(connection, request, read);
    } catch (error) {
      request.signal?.throwIfAborted();
      const isBodySpent = request.body instanceof ReadableStream;
      const failed = { error, attempts, isRepeatable: isRepeatable(request), isBodySpent };
      const delayMs = retryDelayMs(connection.retries, failed, { random: Math.random(), nowMs: Date.now() });
      if (delayMs === null) throw error;
      await pause(delayMs, request.signal);
    }
  }
}

async function attempt<T>(
  connection: Connection,
  { timeoutMs = connection.timeoutMs, ...request }: Call,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
  try {
    return await read(await send(connection, { ...request, signal }));
  } catch (error) {
    if (error instanceof ElasticError) throw error;
    const { url } = connection;
    if (timeout.aborted) {
      throw new ConnectionError("timeout", `${url} did not respond within ${timeoutMs / 1000} s.`, error);
    }
    throw new ConnectionError("unreachable", `Could not reach ${url}: ${reasonOf(error)}.`, error);
  }
}

function isRepeatable({ isRepeatable, method, headers }: Call): boolean {
  return isRepeatable ?? (method === "GET" || method === "PUT" || method === "DELETE" || hasKey(headers));
}

function hasKey(headers: Call["headers"]): boolean {
  return headers?.["idempotency-key"] !== undefined;
}

/** fetch says only that it failed, and has why in a chain of causes. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
