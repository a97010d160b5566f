/** GET /v1/source-connections: those of a team, the newest first. */
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { connectionRecord, sourceConnectionSchema } from "../../public/source-records.ts";
import { type CallerDeps, requireKey, teamOf } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listSourceConnections",
  summary: "List a team's connections to source hosts",
  tags: ["sources"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(sourceConnectionSchema), ...refusals(401, 403, 404, 422, 429, 503) },
};

export function listSourceConnections(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/source-connections",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const connections = [...deps.store.view.sourceConnections.of(teamOf(deps, request))]
        .map(({ value }) => value)
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      return reply.send(cutPage(connections, request.query, (one) => connectionRecord(deps.store.view, one)));
    },
  });
}
