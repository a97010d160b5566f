/** GET /v1/teams/:id */
import { z } from "zod";
import { refusals } from "../../public/refusals.ts";
import { recordOfTeam, teamSchema } from "../../public/team-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readOwnMembership } from "../access/find-member.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound } from "../problems/problem.ts";

const schema = {
  operationId: "getTeam",
  summary: "Get a team",
  tags: ["teams"],
  params: z.object({ id: z.string() }),
  response: { 200: teamSchema, ...refusals(401, 404, 429, 503) },
};

export function getTeam(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/teams/:id",
    schema,
    onRequest: requireKey(deps),
    handler: async (request, reply) => {
      const caller = keyOf(request);
      const { value: membership } = await readOwnMembership(deps.store, caller, request.params.id);
      const team = await deps.store.get("teams", membership.teamId);
      if (team === null) throw notFound("team");
      return reply.send(recordOfTeam(team.value, caller, membership));
    },
  });
}
