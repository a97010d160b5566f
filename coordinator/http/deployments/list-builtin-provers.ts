/** GET /v1/builtin-provers: the provers that are part of the service and need no image. */
import { z } from "zod";
import { BUILTIN_PREFIX } from "../../domain/deployment.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, requireKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listBuiltinProvers",
  summary: "List the provers that need no image",
  tags: ["deployments"],
  response: {
    200: z
      .object({ items: z.array(z.object({ image: z.string().describe("As a deployment names it.") })) })
      .meta({ id: "BuiltinProvers" }),
    ...refusals(401, 403, 429),
  },
};

export interface BuiltinDeps {
  /** Names of provers that agents run without a container. */
  readonly builtins: readonly string[];
}

export function listBuiltinProvers(app: App, deps: CallerDeps & BuiltinDeps): void {
  app.route({
    method: "GET",
    url: "/v1/builtin-provers",
    schema,
    onRequest: requireKey(deps, "services", "tasks:read"),
    handler: async (_request, reply) =>
      reply.send({ items: deps.builtins.map((name) => ({ image: `${BUILTIN_PREFIX}${name}` })) }),
  });
}
