/** How a request reaches the service: with the key and the team, and never redirected. */
import type { Connection } from "./connection.ts";

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base address, such as `/v1/teams`, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A function opens a stream for each attempt: one that was sent is gone. */
  readonly body?:
    | Uint8Array<ArrayBuffer>
    | ReadableStream<Uint8Array>
    | (() => ReadableStream<Uint8Array>)
    | Blob
    | string
    | null;
  readonly signal?: AbortSignal | undefined;
}

/** Rejects as `fetch` does; a response of any status resolves. It has no timeout but `signal`. */
export async function send(
  { url, key, team, userAgent, fetch }: Connection,
  { method, path, headers, body = null, signal }: Request,
): Promise<Response> {
  const content = typeof body === "function" ? body() : body;
  return await fetch(`${url}${path}`, {
    method,
    headers: {
      accept: "application/json",
      ...(userAgent === null ? {} : { "user-agent": userAgent }),
      ...(key === null ? {} : { "x-api-key": key }),
      ...(team === undefined ? {} : { "x-team": team }),
      ...(body === null ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: content as NonNullable<RequestInit["body"]> | null,
    ...(content instanceof ReadableStream ? { duplex: "half" as const } : {}),
    // A redirect would carry the key to wherever it points.
    redirect: "manual",
    ...(signal === undefined ? {} : { signal }),
  });
}
