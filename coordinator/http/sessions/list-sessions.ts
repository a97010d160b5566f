/** GET /v1/sessions: the browsers in which the caller's user is logged in, the one used last first. */
import { endOfSession } from "../../domain/session.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { sessionRecord, sessionSchema } from "../../public/session-record.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listSessions",
  summary: "List the browsers in which you are logged in",
  tags: ["sessions"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(sessionSchema), ...refusals(401, 403, 422, 429, 503) },
};

export function listSessions(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/sessions",
    schema,
    onRequest: requireUnboundKey(deps, "keys"),
    handler: async (request, reply) => {
      const { userId, id } = keyOf(request);
      const now = deps.clock.now();
      const sessions = [...deps.store.view.sessions.of(userId)]
        .map(({ value }) => value)
        .filter((session) => endOfSession(session) > now)
        .sort((a, b) => b.lastUsedAt - a.lastUsedAt || (a.id < b.id ? 1 : -1));
      return reply.send(cutPage(sessions, request.query, (session) => sessionRecord(session, id)));
    },
  });
}
