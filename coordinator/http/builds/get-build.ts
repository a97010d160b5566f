/** GET /v1/builds/:id. */
import { z } from "zod";
import { buildRecord, buildSchema } from "../../public/build-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "getBuild",
  summary: "Get a build",
  tags: ["builds"],
  params: z.object({ id: z.string() }),
  response: { 200: buildSchema, ...refusals(401, 403, 404, 503) },
};

export function getBuild(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/builds/:id",
    schema,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (request, reply) => {
      const { value: build } = await readVisible(deps.store, keyOf(request), "builds", request.params.id);
      return reply.send(buildRecord(deps.store.view, build));
    },
  });
}
