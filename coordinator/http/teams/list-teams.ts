/** GET /v1/teams: the teams that the key spans. */
import { z } from "zod";
import { teamsOf } from "../../auth/authorize.ts";
import type { App } from "../app.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { idSchema } from "../wire/id-schema.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../wire/page.ts";
import { refusals } from "../wire/refusals.ts";
import { timestamp, timestampSchema } from "../wire/timestamp.ts";

const teamSchema = z
  .object({
    team_id: idSchema,
    name: z.string(),
    role: z.enum(["owner", "member"]),
    created: timestampSchema,
    default: z.boolean().describe("Whether calls that name no team act in this one."),
  })
  .meta({ id: "Team" });

const schema = {
  operationId: "listTeams",
  summary: "List the teams of the key",
  tags: ["teams"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(teamSchema), ...refusals(401, 422, 503) },
};

export function listTeams(app: App, deps: HttpDeps): void {
  app.route({
    method: "GET",
    url: "/v1/teams",
    schema,
    onRequest: requireKey(deps),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { view } = deps.store;
      const teams = teamsOf(view, key).flatMap(({ teamId, role }) => {
        const team = view.teams.get(teamId)?.value;
        return team === undefined ? [] : [{ team, role }];
      });
      return reply.send(
        cutPage(teams, request.query, ({ team, role }) => ({
          team_id: team.id,
          name: team.name,
          role,
          created: timestamp(team.createdAt),
          default: team.id === key.defaultTeamId,
        })),
      );
    },
  });
}
