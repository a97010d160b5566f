/** GET /v1/services: a team's services, newest first, without deleted ones. */
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { type ServiceRecordSource, serviceRecord, serviceSchema } from "../../public/service-record.ts";
import { type CallerDeps, requireKey, teamOf } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listServices",
  summary: "List services",
  tags: ["services"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(serviceSchema), ...refusals(401, 403, 404, 422, 503) },
};

export function listServices(app: App, deps: CallerDeps & ServiceRecordSource): void {
  app.route({
    method: "GET",
    url: "/v1/services",
    schema,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (request, reply) => {
      const teamId = teamOf(deps, request);
      const { view } = deps.store;
      const services = [...view.services.values()]
        .map(({ value }) => value)
        .filter((service) => service.teamId === teamId && service.state.kind !== "deleted")
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      return reply.send(cutPage(services, request.query, (one) => serviceRecord(deps, one)));
    },
  });
}
