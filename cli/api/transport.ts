/** How a request reaches the service: with the caller's key and team, never redirected, and by TLS that it trusts. */
import type { Caller, KeylessCaller } from "./caller.ts";

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base address, such as `/v1/teams`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestInit["body"];
  readonly signal: AbortSignal;
}

/**
 * Rejects as `fetch` does, with an error that is no CliError; a response of any status resolves. It has no timeout but
 * `signal`.
 */
export async function request(
  caller: Caller | KeylessCaller,
  { path, headers, body, ...init }: Request,
): Promise<Response> {
  const send = caller.ca === undefined ? fetch : await fetchTrusting(caller.ca);
  return await send(`${caller.url}${path}`, {
    ...init,
    headers: {
      accept: "application/json",
      "user-agent": "elastic-cli",
      ...(caller.apiKey === null ? {} : { "x-api-key": caller.apiKey }),
      ...(caller.teamId === undefined ? {} : { "x-team": caller.teamId }),
      ...headers,
    },
    body: body ?? null,
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    // A redirect would carry the key to wherever it points.
    redirect: "manual",
  });
}

/** Node's own fetch takes further authorities only from the environment that it was started with. */
async function fetchTrusting(ca: string): Promise<typeof fetch> {
  const { Agent, fetch: fetchOfUndici } = await import("undici");
  const { getCACertificates } = await import("node:tls");
  // Absent from the first versions of Node 22: there the given authorities are the only ones.
  const dispatcher = new Agent({ connect: { ca: [...(getCACertificates?.("default") ?? []), ca] } });
  // The two differ in the names of their types alone: one is a copy of the other.
  const send = fetchOfUndici as unknown as (url: string, init: object) => Promise<Response>;
  return (async (url: string, init: object) => await send(url, { ...init, dispatcher })) as typeof fetch;
}
