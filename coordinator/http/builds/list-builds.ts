/** GET /v1/services/:id/builds, newest first. */
import { z } from "zod";
import { buildRecord, buildSchema } from "../../public/build-record.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listBuilds",
  summary: "List a service's builds",
  tags: ["builds"],
  params: z.object({ id: z.string() }),
  querystring: pageQuerySchema,
  response: { 200: pageSchema(buildSchema), ...refusals(401, 403, 404, 422, 503) },
};

export function listBuilds(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/services/:id/builds",
    schema,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (request, reply) => {
      const { view } = deps.store;
      const { value: service } = await readVisible(deps.store, keyOf(request), "services", request.params.id);
      const builds = [...view.builds.of(service.teamId)]
        .map(({ value }) => value)
        .filter(({ serviceId }) => serviceId === service.id)
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      return reply.send(cutPage(builds, request.query, (build) => buildRecord(view, build)));
    },
  });
}
