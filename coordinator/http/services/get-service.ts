/** GET /v1/services/:id */
import { z } from "zod";
import type { App } from "../app.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { refusals } from "../wire/refusals.ts";
import { serviceRecord, serviceSchema } from "../wire/service-record.ts";
import { readService } from "./find-service.ts";

const schema = {
  operationId: "getService",
  summary: "Get a service",
  tags: ["services"],
  params: z.object({ id: z.string() }),
  response: { 200: serviceSchema, ...refusals(401, 403, 404, 503) },
};

export function getService(app: App, deps: HttpDeps): void {
  app.route({
    method: "GET",
    url: "/v1/services/:id",
    schema,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (request, reply) => {
      const { value } = await readService(deps.store, keyOf(request), request.params.id);
      return reply.send(serviceRecord(deps, value));
    },
  });
}
