/**
 * Requests of web pages of another origin (Fetch Standard, 3.3, CORS protocol). A preflight names no key: it is answered for every
 * origin that some team names. The response to the request itself may be read only by pages of an origin that the team it
 * acts in names. Cookies are never allowed: such a page calls with a key.
 *
 * A refusal before it is known who calls (401, 403, 429, 503) may be read by pages of every origin that some team names: without
 * `Retry-After` and the reason a client takes it for a service that is unreachable. Whether it may be read depends on the origin alone,
 * so that says nothing of the key. Which origins some team names is therefore no secret: whoever guesses one learns from a preflight
 * that it is named, and not by whom.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { mayUseTeam } from "../../auth/authorize.ts";
import { isDeleted } from "../../domain/team.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { requestedTeam } from "./requested-team.ts";

const METHODS = "GET, POST, PUT, PATCH, DELETE";
/** `user-agent` by the client library: browsers but Chromium request it in the preflight. */
const REQUEST_HEADERS =
  "authorization, x-api-key, content-type, idempotency-key, last-event-id, traceparent, user-agent, x-team";
const RESPONSE_HEADERS = "idempotent-replayed, location, ratelimit, ratelimit-policy, retry-after, x-request-id";
/** A team that takes an origin back does so within this. */
const PREFLIGHT_S = 600;

export function respondToOtherOrigins(app: App, { store }: Pick<RecordDeps, "store">): void {
  const named = namedOrigins(store);
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    if (!isPreflight(request) || origin === undefined || !named().has(origin)) return done();
    reply
      .headers({
        "access-control-allow-origin": origin,
        "access-control-allow-methods": METHODS,
        "access-control-allow-headers": REQUEST_HEADERS,
        "access-control-max-age": PREFLIGHT_S,
        vary: "origin",
      })
      .code(204)
      .send();
  });
  // After it is known who calls, and before anything is refused for what is in the body.
  app.addHook("preParsing", (request, reply, payload, done) => {
    if (request.headers.origin !== undefined) allowReading(store, request, reply, request.headers.origin);
    done(null, payload);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    const { origin } = request.headers;
    if (origin !== undefined && request.accessKey === null && reply.statusCode >= 400) {
      reply.header("vary", "origin");
      if (named().has(origin)) reply.headers(readableBy(origin));
      // Where an endpoint finds out who calls.
    } else if (origin !== undefined) allowReading(store, request, reply, origin);
    done(null, payload);
  });
}

function isPreflight({ method, url, headers }: FastifyRequest): boolean {
  return method === "OPTIONS" && url.startsWith("/v1/") && headers["access-control-request-method"] !== undefined;
}

/** By any team. Made again only after a team has changed: no rate bounds preflights. */
function namedOrigins({ view }: RecordDeps["store"]): () => ReadonlySet<string> {
  let named: ReadonlySet<string> | null = null;
  view.teams.subscribe(() => {
    named = null;
  });
  return () => {
    named ??= new Set([...view.teams.values()].flatMap(({ value }) => (isDeleted(value) ? [] : (value.origins ?? []))));
    return named;
  };
}

function allowReading(
  { view }: RecordDeps["store"],
  request: FastifyRequest,
  reply: FastifyReply,
  origin: string,
): void {
  const key = request.accessKey;
  if (key === null || key.isSession) return;
  reply.header("vary", "origin");
  const { permission: _, ...ownKey } = key;
  const teamId = requestedTeam(request) ?? key.teamId ?? key.defaultTeamId;
  const team = view.teams.get(teamId)?.value;
  if (team?.origins?.includes(origin) !== true || !mayUseTeam(view, ownKey, teamId)) return;
  reply.headers(readableBy(origin));
}

function readableBy(origin: string) {
  return { "access-control-allow-origin": origin, "access-control-expose-headers": RESPONSE_HEADERS };
}
