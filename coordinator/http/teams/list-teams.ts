/** GET /v1/teams: the teams that the key spans. */
import { teamsOf } from "../../auth/authorize.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { teamRecord, teamSchema } from "../../public/team-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listTeams",
  summary: "List the teams of the key",
  tags: ["teams"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(teamSchema), ...refusals(401, 422, 429, 503) },
};

export function listTeams(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/teams",
    schema,
    onRequest: requireKey(deps),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { view } = deps.store;
      const teams = teamsOf(view, key)
        .map((membership) => teamRecord(view, key, membership))
        .filter((team) => team !== null);
      return reply.send(cutPage(teams, request.query, (team) => team));
    },
  });
}
