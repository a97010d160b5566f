/** GET /v1/join-tokens: those that have not ended, newest first. Never their texts. */
import { joinTokenRecord, joinTokenSchema } from "../../public/join-token-record.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listJoinTokens",
  summary: "List the join tokens that have not ended",
  tags: ["nodes"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(joinTokenSchema), ...refusals(401, 403, 422, 429, 503) },
};

export function listJoinTokens(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/join-tokens",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const now = deps.clock.now();
      const tokens = [...deps.store.view.joinTokens.values()]
        .map(({ value }) => value)
        .filter(({ expiresAt }) => now < expiresAt)
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      return reply.send(cutPage(tokens, request.query, joinTokenRecord));
    },
  });
}
