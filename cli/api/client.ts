/** One call of the HTTP interface: sent once, bounded in time and size, and every failure explained. */
import { CliError, interrupted } from "../errors/cli-error.ts";
import type { Caller, KeylessCaller } from "./caller.ts";
import { refused } from "./problem.ts";
import { request } from "./transport.ts";
import { tooSlow, unreachable } from "./unreachable.ts";

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base address, such as `/v1/teams`. */
  readonly path: string;
  /** Sent as it is. */
  readonly body?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
/** A record holds an input of 10 MiB and a result of 8 MiB, each escaped as JSON text. */
const RESPONSE_BYTES_MAX = 128 * 1024 * 1024;

/** The parsed body of a 2xx response; null where it has none. Everything else is thrown, as a CliError. */
export async function call(caller: Caller | KeylessCaller, call: Call): Promise<unknown> {
  const timeoutMs = call.timeoutMs ?? TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(caller, call, AbortSignal.any([caller.signal, timeout]));
    if (response.status === 204) return null;
    const body = parse(await readBounded(response));
    if (response.ok && body !== undefined) return body;
    if (response.ok || (response.status >= 300 && response.status < 400)) throw notTheService(caller.url);
    throw refused({
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      requestId: response.headers.get("x-request-id"),
      body,
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (caller.signal.aborted) throw interrupted();
    if (timeout.aborted) throw tooSlow(caller.url, timeoutMs);
    throw unreachable(caller.url, error);
  }
}

function send(
  caller: Caller | KeylessCaller,
  { method, path, body, ...call }: Call,
  signal: AbortSignal,
): Promise<Response> {
  const headers = { ...(body === undefined ? {} : { "content-type": "application/json" }), ...call.headers };
  return request(caller, { method, path, headers, body: body ?? null, signal });
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > RESPONSE_BYTES_MAX) {
      throw new CliError(`The response is larger than ${RESPONSE_BYTES_MAX} bytes.`, { code: "answer_too_large" });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notTheService(address: string): CliError {
  return new CliError(`${address} responded, but not as the Elastic Proving Service.`, {
    code: "not_the_service",
    next: "Check the address: `elastic login --url <address>` sets another one.",
  });
}
