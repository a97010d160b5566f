/** POST /v1/nodes/:id/resume: it takes work again. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { resume } from "../../domain/node-drain.ts";
import { type NodeRecordSource, nodeRecord, nodeSchema } from "../../public/node-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { changeNode, refuseGone } from "./find-node.ts";

const schema = {
  operationId: "resumeNode",
  summary: "Take back a drain",
  description: "Whoever requested it, and a quarantine. Nothing changes for a node that accepts work.",
  tags: ["nodes"],
  params: z.object({ id: z.string() }),
  response: { 200: nodeSchema, ...refusals(401, 403, 404, 409, 429, 503) },
};

export function resumeNode(app: App, deps: CallerDeps & RecordDeps & NodeRecordSource): void {
  app.route({
    method: "POST",
    url: "/v1/nodes/:id/resume",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const { node, isChanged } = await changeNode(deps, request.params.id, (before) => {
        refuseGone(before);
        return resume(before, deps.clock.now());
      });
      if (isChanged) {
        audit(deps.log, "node_resumed", { requestId: request.id, nodeId: node.id, byKeyId: keyOf(request).id });
      }
      return reply.send(nodeRecord(deps, node));
    },
  });
}
