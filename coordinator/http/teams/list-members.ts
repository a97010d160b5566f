/** GET /v1/teams/:id/members, by name. */
import { z } from "zod";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { memberRecord, memberSchema } from "../../public/team-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readOwnMembership } from "../access/find-member.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listMembers",
  summary: "List the members of a team",
  tags: ["teams"],
  params: z.object({ id: z.string() }),
  querystring: pageQuerySchema,
  response: { 200: pageSchema(memberSchema), ...refusals(401, 403, 404, 422, 429, 503) },
};

export function listMembers(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/teams/:id/members",
    schema,
    onRequest: requireKey(deps, "keys"),
    handler: async (request, reply) => {
      const { id: teamId } = request.params;
      await readOwnMembership(deps.store, keyOf(request), teamId);
      const { view } = deps.store;
      const members = [...view.memberships.values()]
        .filter(({ value }) => value.teamId === teamId)
        .map(({ value }) => memberRecord(view, value))
        .sort((a, b) => (a.name === b.name ? (a.user_id < b.user_id ? -1 : 1) : a.name < b.name ? -1 : 1));
      return reply.send(cutPage(members, request.query, (member) => member));
    },
  });
}
