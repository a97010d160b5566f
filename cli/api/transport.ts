/** How the command reaches the service: by the client library, which sends everything once, and by TLS that it trusts. */
import { type Connection, openConnection } from "elastic-client/http/connection.ts";
import { type Request as ClientRequest, send } from "elastic-client/http/send.ts";
import type { Caller, KeylessCaller } from "./caller.ts";

export interface Request extends ClientRequest {
  readonly signal: AbortSignal;
}

/** A command that fails says so: its user, or a script, decides whether it is run again. */
const ONCE = { attemptsMax: 1 };

export async function connectionOf(caller: Caller | KeylessCaller): Promise<Connection> {
  return openConnection({
    url: caller.url,
    key: caller.apiKey,
    team: caller.teamId,
    userAgent: "elastic-cli",
    retries: ONCE,
    ...(caller.ca === undefined ? {} : { fetch: await fetchTrusting(caller.ca) }),
  });
}

/**
 * Rejects as `fetch` does, with an error that is no CliError; a response of any status resolves. It has no timeout but
 * `signal`.
 */
export async function request(caller: Caller | KeylessCaller, request: Request): Promise<Response> {
  return await send(await connectionOf(caller), request);
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
