/** GET /v1/services/:id/source. */
import { z } from "zod";
import { refusals } from "../../public/refusals.ts";
import { serviceSourceSchema, sourceRecord } from "../../public/source-records.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { readSource } from "./find-source.ts";

const schema = {
  operationId: "getServiceSource",
  summary: "Read what a service is built from",
  tags: ["sources"],
  params: z.object({ id: z.string() }),
  response: { 200: serviceSourceSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function getServiceSource(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/services/:id/source",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const { value } = await readSource(deps.store, keyOf(request), request.params.id);
      const connection = await deps.store.get("source-connections", value.connectionId);
      return reply.send(sourceRecord(value, connection?.value ?? null));
    },
  });
}
