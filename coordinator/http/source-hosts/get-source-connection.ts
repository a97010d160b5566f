/** GET /v1/source-connections/:id. */
import { z } from "zod";
import { refusals } from "../../public/refusals.ts";
import { connectionRecord, sourceConnectionSchema } from "../../public/source-records.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "getSourceConnection",
  summary: "Read a connection to a source host",
  tags: ["sources"],
  params: z.object({ id: z.string() }),
  response: { 200: sourceConnectionSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function getSourceConnection(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/source-connections/:id",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const { value } = await readVisible(deps.store, keyOf(request), "source-connections", request.params.id);
      return reply.send(connectionRecord(deps.store.view, value));
    },
  });
}
