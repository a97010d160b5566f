/** GET /v1/services/:id */
import { z } from "zod";
import { refusals } from "../../public/refusals.ts";
import { type ServiceRecordSource, serviceRecord, serviceSchema } from "../../public/service-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "getService",
  summary: "Get a service",
  tags: ["services"],
  params: z.object({ id: z.string() }),
  response: { 200: serviceSchema, ...refusals(401, 403, 404, 503) },
};

export function getService(app: App, deps: CallerDeps & ServiceRecordSource): void {
  app.route({
    method: "GET",
    url: "/v1/services/:id",
    schema,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (request, reply) => {
      const { value } = await readVisible(deps.store, keyOf(request), "services", request.params.id);
      return reply.send(serviceRecord(deps, value));
    },
  });
}
