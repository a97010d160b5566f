/**
 * DELETE /v1/sessions and /v1/sessions/:id: logs out everywhere, or in one browser. What was revoked opens nothing at any
 * coordinator within a second, open streams included.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { sessionCookie } from "../../auth/login-cookies.ts";
import type { Session } from "../../domain/session.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { refusals } from "../../public/refusals.ts";
import { removeRecord } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound } from "../problems/problem.ts";

const ENDED = { 204: z.null().describe("Logged out."), ...refusals(401, 403, 404, 429, 503) };

export function endSessions(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/sessions",
    schema: { operationId: "endSessions", summary: "Log out in every browser", tags: ["sessions"], response: ENDED },
    onRequest: requireUnboundKey(deps, "keys"),
    handler: async (request, reply) => {
      const sessions = [...deps.store.view.sessions.of(keyOf(request).userId)];
      for (const { value } of sessions) await end(deps, request, value.id);
      return sendLoggedOut(deps, request, reply, sessions);
    },
  });
  app.route({
    method: "DELETE",
    url: "/v1/sessions/:id",
    schema: {
      operationId: "endSession",
      summary: "Log out in one browser",
      tags: ["sessions"],
      params: z.object({ id: z.string().describe("`current` for the session that the request was sent with.") }),
      response: ENDED,
    },
    onRequest: requireUnboundKey(deps, "keys"),
    handler: async (request, reply) => {
      const caller = keyOf(request);
      const id = request.params.id === "current" ? caller.id : request.params.id;
      const session = deps.store.view.sessions.get(id);
      if (session === undefined || session.value.userId !== caller.userId) throw notFound("session");
      await end(deps, request, id);
      return sendLoggedOut(deps, request, reply, [session]);
    },
  });
}

async function end(
  { store, log }: Pick<RecordDeps, "store" | "log">,
  request: FastifyRequest,
  id: string,
): Promise<void> {
  const caller = keyOf(request);
  const { isChanged } = await removeRecord(store, "sessions", () => store.get("sessions", id));
  if (!isChanged) return;
  audit(log, "session_ended", { requestId: request.id, sessionId: id, userId: caller.userId, byKeyId: caller.id });
}

/** The cookie goes too, where it was the caller's own session. */
function sendLoggedOut(
  { publicUrl }: Pick<CallerDeps, "publicUrl">,
  request: FastifyRequest,
  reply: FastifyReply,
  ended: readonly Versioned<Session>[],
): FastifyReply {
  const isOwn = ended.some(({ value }) => value.id === keyOf(request).id);
  if (isOwn) reply.header("set-cookie", sessionCookie.setCookie(null, publicUrl()));
  return reply.code(204).send(null);
}
