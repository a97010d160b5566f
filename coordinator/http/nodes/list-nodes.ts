/** GET /v1/nodes: the machines, by name. */
import { z } from "zod";
import { isOfGpuType } from "../../domain/gpu-types.ts";
import type { Node } from "../../domain/node.ts";
import { NODE_STATES, type NodeRecordSource, nodeRecord, nodeSchema } from "../../public/node-record.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const querySchema = pageQuerySchema.extend({
  state: z.enum(NODE_STATES).optional(),
  label: z.string().min(1).max(256).optional().describe("`key=value`, or `key` for any value."),
  gpu_type: z.string().min(1).max(128).optional().describe("Nodes with a GPU whose type has these words."),
});

const schema = {
  operationId: "listNodes",
  summary: "List nodes",
  description: "By name, those that are gone included.",
  tags: ["nodes"],
  querystring: querySchema,
  response: { 200: pageSchema(nodeSchema), ...refusals(401, 403, 422, 429, 503) },
};

export function listNodes(app: App, deps: CallerDeps & NodeRecordSource): void {
  app.route({
    method: "GET",
    url: "/v1/nodes",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const { state, label, gpu_type: gpuType } = request.query;
      const nodes = [...deps.store.view.nodes.values()]
        .map(({ value }) => value)
        .filter((node) => label === undefined || hasLabel(node, label))
        .filter(({ inventory }) => gpuType === undefined || inventory.gpus.some((gpu) => isOfGpuType(gpu, gpuType)))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((node) => nodeRecord(deps, node))
        .filter((record) => state === undefined || record.state === state);
      return reply.send(cutPage(nodes, request.query, (record) => record));
    },
  });
}

function hasLabel({ inventory: { labels } }: Node, requested: string): boolean {
  const [, key = "", value] = /^([^=]*)(?:=(.*))?$/s.exec(requested) ?? [];
  return Object.hasOwn(labels, key) && (value === undefined || labels[key] === value);
}
