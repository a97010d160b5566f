/** GET /v1/me: whose key or session this is, and what it opens. */
import { z } from "zod";
import { hasScope, teamsOf } from "../../auth/authorize.ts";
import { idSchema } from "../../public/id-schema.ts";
import { keyRecord, keySchema } from "../../public/key-record.ts";
import { refusals } from "../../public/refusals.ts";
import { sessionRecord, sessionSchema } from "../../public/session-record.ts";
import { teamRecord, teamSchema } from "../../public/team-record.ts";
import { timestampOrNull, timestampSchema } from "../../public/timestamp.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "getMe",
  summary: "Whose key or session this is, and what it opens",
  tags: ["keys"],
  response: {
    200: z
      .object({
        user_id: idSchema,
        name: z.string(),
        key: keySchema.nullable().describe("null in a session."),
        session: sessionSchema.nullable().describe("null for a key."),
        operator: z.boolean().describe("Whether the user runs this service: `elastic-coordinator operator add`."),
        operator_until: timestampSchema
          .nullable()
          .describe("Until when this session has the scopes `nodes` and `admin`; null where it has them not."),
        teams: z.array(teamSchema),
      })
      .meta({ id: "Me" }),
    ...refusals(401, 429, 503),
  },
};

export function getMe(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/me",
    schema,
    onRequest: requireKey(deps),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { view } = deps.store;
      const teams = teamsOf(view, key)
        .map((membership) => teamRecord(view, key, membership))
        .filter((team) => team !== null);
      const user = view.users.get(key.userId)?.value;
      const session = view.sessions.get(key.id);
      const opened =
        session === undefined
          ? { key: keyRecord(key), session: null }
          : { key: null, session: sessionRecord(session.value, key.id) };
      const { operatorUntil = null } = key;
      return reply.send({
        user_id: key.userId,
        name: user?.name ?? "",
        ...opened,
        operator: user?.operator === true,
        operator_until: timestampOrNull(hasScope(key, "nodes") ? operatorUntil : null),
        teams,
      });
    },
  });
}
