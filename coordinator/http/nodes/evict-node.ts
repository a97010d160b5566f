/**
 * POST /v1/nodes/:id/evict: the node is out. What ran there goes to others, its links are cut at every coordinator,
 * and its certificates are revoked.
 */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { evicted } from "../../domain/node.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { changeNode } from "./find-node.ts";

const schema = {
  operationId: "evictNode",
  summary: "Evict a node",
  description: "At once, whatever runs there: tasks go to other nodes. To let them end first, drain it.",
  tags: ["nodes"],
  params: z.object({ id: z.string() }),
  response: {
    204: z.null().describe("Evicted, or was already. It comes back by a join token of its name only."),
    ...refusals(401, 403, 404, 429, 503),
  },
};

export function evictNode(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "POST",
    url: "/v1/nodes/:id/evict",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const { id: nodeId } = request.params;
      const { isChanged } = await changeNode(deps, nodeId, (node) => evicted(node, deps.clock.now()));
      if (isChanged) audit(deps.log, "node_evicted", { requestId: request.id, nodeId, byKeyId: keyOf(request).id });
      return reply.code(204).send(null);
    },
  });
}
