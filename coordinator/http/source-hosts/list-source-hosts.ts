/** GET /v1/source-hosts: where services may be built from. */
import { z } from "zod";
import { sourceHostSchema } from "../../public/source-records.ts";
import { type CallerDeps, requireKey } from "../access/caller.ts";
import type { RegistryDeps } from "../deps/registry-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { SourceHostDeps } from "./find-source.ts";

const schema = {
  operationId: "listSourceHosts",
  summary: "List the source hosts that accounts can be connected to",
  tags: ["sources"],
  response: {
    200: z.object({
      items: z.array(sourceHostSchema),
      registry: z.boolean().describe("Whether this installation has its own registry; without one it builds nothing."),
    }),
  },
};

export function listSourceHosts(app: App, deps: CallerDeps & SourceHostDeps & RegistryDeps): void {
  app.route({
    method: "GET",
    url: "/v1/source-hosts",
    schema,
    onRequest: requireKey(deps),
    handler: async (_request, reply) =>
      reply.send({
        items: deps.sourceHosts.map(({ name, title, url }) => ({ name, title, url })),
        registry: deps.registry !== null,
      }),
  });
}
