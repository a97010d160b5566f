/** GET /v1/gpu-types: what a deployment or a shell may request, and how much of it is free now. */
import { z } from "zod";
import { countGpuTypes } from "../../domain/gpu-types.ts";
import { gpuTypeRecord, gpuTypeSchema } from "../../public/gpu-type-record.ts";
import type { NodeRecordSource } from "../../public/node-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, requireKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listGpuTypes",
  summary: "List the types of GPUs that exist, and how many are free",
  tags: ["nodes"],
  response: { 200: z.object({ items: z.array(gpuTypeSchema) }), ...refusals(401, 429, 503) },
};

export function listGpuTypes(app: App, deps: CallerDeps & Pick<NodeRecordSource, "nodeWork">): void {
  app.route({
    method: "GET",
    url: "/v1/gpu-types",
    schema,
    onRequest: requireKey(deps),
    handler: async (_request, reply) => {
      const { store, nodeWork } = deps;
      const responding = [...store.view.nodes.values()]
        .map(({ value: node }) => ({ node, held: nodeWork.holdersOn(node.id) }))
        .filter(({ node: { state } }) => state === "ready" || state === "draining");
      return reply.send({ items: countGpuTypes(responding).map(gpuTypeRecord) });
    },
  });
}
