/**
 * POST /v1/nodes/:id/evict: the node is out. What ran there goes to others, its links are cut at every coordinator,
 * and its certificates are taken no more.
 */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { isNodeName } from "../../domain/join-token.ts";
import { evicted } from "../../domain/node.ts";
import { replace } from "../../store/change.ts";
import type { App } from "../app.ts";
import { keyOf, requireUnboundKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { notFound, Problem } from "../problem.ts";
import { refusals } from "../wire/refusals.ts";

const TRIES = 20;

const schema = {
  operationId: "evictNode",
  summary: "Evict a node",
  tags: ["nodes"],
  params: z.object({ id: z.string() }),
  response: {
    204: z.null().describe("Evicted, or was already. It comes back by a join token of its name only."),
    ...refusals(401, 403, 404, 429, 503),
  },
};

export function evictNode(app: App, deps: HttpDeps): void {
  app.route({
    method: "POST",
    url: "/v1/nodes/:id/evict",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const { id: nodeId } = request.params;
      if (await evict(deps, nodeId)) {
        audit(deps.log, "node_evicted", { requestId: request.id, nodeId, byKeyId: keyOf(request).id });
      }
      return reply.code(204).send(null);
    },
  });
}

/** False if it was already. */
async function evict({ store, clock }: HttpDeps, nodeId: string): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const node = isNodeName(nodeId) ? await store.get("nodes", nodeId) : null;
    if (node === null) throw notFound("node");
    const after = evicted(node.value, clock.now());
    if (after === node.value) return false;
    if ((await store.commit([replace("nodes", node, after)])).kind === "committed") return true;
  }
  throw new Problem("overloaded", "The node's record changes too quickly; ask again in a moment.");
}
