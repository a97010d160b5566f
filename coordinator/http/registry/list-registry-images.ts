/** GET /v1/registry/images: what the team has pushed, to deploy it. */
import { z } from "zod";
import { refusals } from "../../public/refusals.ts";
import { listImages } from "../../registry/list-images.ts";
import { type CallerDeps, requireKey, teamOf } from "../access/caller.ts";
import type { RegistryDeps } from "../deps/registry-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "../problems/problem.ts";
import { noRegistry } from "./no-registry.ts";

const imagesSchema = z
  .object({
    items: z.array(
      z.object({
        repository: z.string().describe("Its name after the team's prefix."),
        image: z.string().describe("With `:` and a tag after it, what is deployed."),
        tags: z.array(z.string()),
      }),
    ),
    truncated: z.boolean().describe("There are more than 100 repositories, or more than 100 tags of one."),
  })
  .meta({ id: "RegistryImages" });

const schema = {
  operationId: "listRegistryImages",
  summary: "List the images that a team has pushed",
  tags: ["registry"],
  response: { 200: imagesSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function listRegistryImages(app: App, deps: CallerDeps & RegistryDeps): void {
  app.route({
    method: "GET",
    url: "/v1/registry/images",
    schema,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (request, reply) => {
      const teamId = teamOf(deps, request);
      const { registry } = deps;
      if (registry === null) throw noRegistry();
      const list = await listImages(registry, teamId);
      if (list.kind === "unavailable") {
        throw new Problem("registry_unavailable", `The registry cannot be queried: ${list.detail}.`);
      }
      const items = list.repositories.map(({ repository, tags }) => ({
        repository: repository.slice(teamId.length + 1),
        image: `${registry.host}/${repository}`,
        tags: [...tags],
      }));
      return reply.send({ items, truncated: list.isCut });
    },
  });
}
