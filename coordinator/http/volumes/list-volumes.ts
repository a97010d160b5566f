/** GET /v1/volumes: a team's volumes, newest first. */
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { volumeRecord, volumeSchema } from "../../public/volume-record.ts";
import { type CallerDeps, requireKey, teamOf } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { servicesByVolume } from "./services-with-volume.ts";

const schema = {
  operationId: "listVolumes",
  summary: "List data volumes",
  tags: ["volumes"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(volumeSchema), ...refusals(401, 403, 404, 422, 429, 503) },
};

export function listVolumes(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/volumes",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const volumes = [...deps.store.view.volumes.of(teamOf(deps, request))]
        .map(({ value }) => value)
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      const services = servicesByVolume(deps.store.view);
      return reply.send(cutPage(volumes, request.query, (one) => volumeRecord(one, services.get(one.id) ?? [])));
    },
  });
}
