/** POST /v1/nodes/:id/drain: what runs there ends, and nothing new comes. Its record says what is left. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { drain } from "../../domain/node-drain.ts";
import { type NodeRecordSource, nodeRecord, nodeSchema } from "../../public/node-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { changeNode, refuseGone } from "./find-node.ts";

const schema = {
  operationId: "drainNode",
  summary: "Drain a node",
  description:
    "It is given nothing new; tasks that run there end, services move elsewhere. Shells run until they are stopped, " +
    "and the drain lasts as long, unless they are to be stopped too. Repeating the request changes nothing.",
  tags: ["nodes"],
  params: z.object({ id: z.string() }),
  querystring: z.object({
    stop_shells: z.enum(["true", "false"]).default("false").describe("Stop the shells there; their homes stay."),
    spot: z
      .enum(["true", "false"])
      .default("false")
      .describe("Its machine is about to be taken away: shells are stopped too, and a pool replaces it."),
  }),
  response: { 202: nodeSchema, ...refusals(401, 403, 404, 409, 422, 429, 503) },
};

export function drainNode(app: App, deps: CallerDeps & RecordDeps & NodeRecordSource): void {
  app.route({
    method: "POST",
    url: "/v1/nodes/:id/drain",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const caller = keyOf(request);
      const spot = request.query.spot === "true";
      const stopShells = spot || request.query.stop_shells === "true";
      const { node, isChanged } = await changeNode(deps, request.params.id, (before) => {
        refuseGone(before);
        return drain(before, { askedAt: deps.clock.now(), userId: caller.userId, stopShells, ...(spot && { spot }) });
      });
      if (isChanged) {
        const facts = { requestId: request.id, nodeId: node.id, stopShells, spot, byKeyId: caller.id };
        audit(deps.log, "node_drained", facts);
      }
      return reply.code(202).send(nodeRecord(deps, node));
    },
  });
}
