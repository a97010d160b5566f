/** GET /v1/teams/:id/quotas: how much there may be of each thing, and how much there is. */
import { z } from "zod";
import { quotaRecord, quotaSchema } from "../../public/quota-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readOwnMembership } from "../access/find-member.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { countHeld, USER_QUOTAS } from "../limits/count-held.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { quotasOfTeam } from "../limits/quotas-of-team.ts";

const schema = {
  operationId: "listQuotas",
  summary: "List the quotas of a team, and of its caller",
  description: "What would be one more than `max` is refused (`quota_exceeded`) until another is gone.",
  tags: ["teams"],
  params: z.object({ id: z.string().describe("The team.") }),
  response: { 200: z.object({ items: z.array(quotaSchema) }), ...refusals(401, 404, 429, 503) },
};

export function listQuotas(app: App, deps: CallerDeps & QuotaDeps): void {
  app.route({
    method: "GET",
    url: "/v1/teams/:id/quotas",
    schema,
    onRequest: requireKey(deps),
    handler: async (request, reply) => {
      const { quotas, clock } = deps;
      const caller = keyOf(request);
      const { id: teamId } = request.params;
      await readOwnMembership(deps.store, caller, teamId);
      const { view } = deps.store;
      const now = clock.now();
      const ofTeam = quotasOfTeam(deps, teamId);
      // A key that is bound to a team says nothing of its user's other teams.
      const ofUser = (caller.teamId === null ? USER_QUOTAS : []).map((quota) =>
        quotaRecord(quota, {
          scope: "user",
          used: countHeld(view, quota, caller.userId, now),
          max: quotas.maxOf(quota),
        }),
      );
      return reply.send({ items: [...ofTeam, ...ofUser] });
    },
  });
}
