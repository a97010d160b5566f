/** GET /v1/nodes/:id: a node with all that it holds. */
import { z } from "zod";
import { type NodeDetailsSource, nodeDetails, nodeDetailsSchema } from "../../public/node-details.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { readNode } from "./find-node.ts";

const schema = {
  operationId: "getNode",
  summary: "Get a node",
  description: "With its GPUs and what each is given to, what it holds, and the attempts that run there.",
  tags: ["nodes"],
  params: z.object({ id: z.string() }),
  response: { 200: nodeDetailsSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function getNode(app: App, deps: CallerDeps & NodeDetailsSource): void {
  app.route({
    method: "GET",
    url: "/v1/nodes/:id",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => reply.send(nodeDetails(deps, (await readNode(deps, request.params.id)).value)),
  });
}
