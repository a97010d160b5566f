/** POST /v1/sessions: logs a browser in with the token of a login link. The session is in its cookie and nowhere else. */
import { z } from "zod";
import { firstTeamOf } from "../../accounts/first-team.ts";
import { audit } from "../../auth/audit.ts";
import { isFitForLogin } from "../../auth/host-cookie.ts";
import { loginLinkText } from "../../auth/id-secret-text.ts";
import { secretMatches } from "../../auth/key-secret.ts";
import { sessionCookie } from "../../auth/login-cookies.ts";
import { makeSession } from "../../auth/make-session.ts";
import type { LoginLink } from "../../domain/login-link.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { refusals } from "../../public/refusals.ts";
import { sessionRecord, sessionSchema } from "../../public/session-record.ts";
import { remove } from "../../store/change.ts";
import { type CallerDeps, countUnauthenticated } from "../access/caller.ts";
import { requireSameOrigin } from "../access/same-origin.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "../problems/problem.ts";
import { startSession } from "./start-session.ts";

const schema = {
  operationId: "createSession",
  summary: "Log a browser in",
  description:
    "For the console: the token of a login link becomes a session, whose cookie stands for an access key until it " +
    "ends. Only a page of the service's own public URL may call this.",
  tags: ["sessions"],
  security: [],
  body: z.strictObject({ login_token: z.string().describe("Of the link's fragment. It works once.") }),
  response: { 201: sessionSchema, ...refusals(400, 401, 403, 413, 415, 422, 429, 503) },
};

export function createSession(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "POST",
    url: "/v1/sessions",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: async (request) => {
      requireFitForLogin(deps.publicUrl());
      requireSameOrigin(request, deps.publicUrl());
    },
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { store, clock, log, publicUrl } = deps;
      const token = request.body.login_token;
      const link = await readLink(deps, token);
      if (link === null) {
        countUnauthenticated(deps, request, { why: "login_link_invalid", keyId: null });
        throw linkInvalid();
      }
      const { userId } = link.value;
      const defaultTeamId = firstTeamOf(store.view, userId);
      if (defaultTeamId === null)
        throw new Problem("no_team", "You are in no team: ask an owner of one to invite you.");
      const userAgent = request.headers["user-agent"];
      const { record, cookie } = await startSession(deps, request, async () => {
        const read = await readLink(deps, token);
        if (read === null) throw linkInvalid();
        const session = makeSession({ userId, defaultTeamId, provider: "login-link", userAgent }, clock.now());
        return { session, changes: [remove("login-links", read)] };
      });
      audit(log, "session_started", { requestId: request.id, sessionId: record.id, userId, provider: record.provider });
      reply.header("set-cookie", sessionCookie.setCookie(cookie, publicUrl()));
      return reply.code(201).send(sessionRecord(record, record.id));
    },
  });
}

function requireFitForLogin(publicUrl: string): void {
  if (isFitForLogin(publicUrl)) return;
  throw new Problem(
    "login_needs_tls",
    `The console is at ${publicUrl}: nobody may log in over plain HTTP from elsewhere.`,
  );
}

/** A link that still works. */
async function readLink(
  { store, clock }: Pick<RecordDeps, "store" | "clock">,
  token: string,
): Promise<Versioned<LoginLink> | null> {
  const text = loginLinkText.parse(token);
  const link = text === null ? null : await store.get("login-links", text.id);
  const matches = text !== null && secretMatches(text.secret, link?.value.secretSha256 ?? null);
  return link !== null && matches && clock.now() < link.value.expiresAt ? link : null;
}

function linkInvalid(): Problem {
  const detail =
    "This login link does not work: it was used, has expired, or is incomplete. Request a new one from your operator.";
  return new Problem("login_link_invalid", detail);
}
