/** GET /v1/registry: where the team's images are pushed to. */
import { z } from "zod";
import { refusals } from "../../public/refusals.ts";
import { repositoryPrefix } from "../../registry/team-repository.ts";
import { type CallerDeps, requireKey, teamOf } from "../access/caller.ts";
import type { RegistryDeps } from "../deps/registry-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { noRegistry } from "./no-registry.ts";

const registrySchema = z
  .object({
    host: z.string().describe("`host[:port]`, as it begins an image's name."),
    repository_prefix: z.string().describe("What the names of the team's repositories begin with; one name follows."),
  })
  .meta({ id: "Registry" });

const schema = {
  operationId: "getRegistry",
  summary: "Where images are pushed to",
  description: "The registry takes an access key as the password, with any user name.",
  tags: ["registry"],
  response: { 200: registrySchema, ...refusals(401, 403, 404, 503) },
};

export function getRegistry(app: App, deps: CallerDeps & RegistryDeps): void {
  app.route({
    method: "GET",
    url: "/v1/registry",
    schema,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (request, reply) => {
      const repository_prefix = repositoryPrefix(teamOf(deps, request));
      if (deps.registry === null) throw noRegistry();
      return reply.send({ host: deps.registry.host, repository_prefix });
    },
  });
}
