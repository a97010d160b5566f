/** GET /v1/operators/teams: all teams, by name. */
import { z } from "zod";
import { isDeleted } from "../../domain/team.ts";
import { operatedTeam, operatedTeamSchema } from "../../public/operator-record.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import type { View } from "../../store/store.ts";
import { type CallerDeps, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { quotasOfTeam } from "../limits/quotas-of-team.ts";

const schema = {
  operationId: "listOperatedTeams",
  summary: "List all teams",
  tags: ["operators"],
  querystring: pageQuerySchema.extend({
    name: z.string().min(1).max(100).optional().describe("Teams whose names have these characters."),
  }),
  response: { 200: pageSchema(operatedTeamSchema), ...refusals(401, 403, 422, 429, 503) },
};

export function listOperatedTeams(app: App, deps: CallerDeps & QuotaDeps): void {
  app.route({
    method: "GET",
    url: "/v1/operators/teams",
    schema,
    onRequest: requireUnboundKey(deps, "admin"),
    handler: async (request, reply) => {
      const { view } = deps.store;
      const part = request.query.name?.toLowerCase() ?? "";
      const teams = [...view.teams.values()]
        .map(({ value }) => value)
        .filter((team) => !isDeleted(team) && team.name.toLowerCase().includes(part))
        .sort((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1));
      return reply.send(
        cutPage(teams, request.query, (team) =>
          operatedTeam(team, { owners: ownersOf(view, team.id), quotas: quotasOfTeam(deps, team.id) }),
        ),
      );
    },
  });
}

function ownersOf({ memberships }: View, id: string): number {
  return [...memberships.values()].filter(({ value }) => value.teamId === id && value.role === "owner").length;
}
