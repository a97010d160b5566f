/** GET /v1/pools: by name. */
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { poolSchema } from "../../public/pool-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { type PoolDeps, poolRecords } from "./find-pool.ts";

const schema = {
  operationId: "listPools",
  summary: "List the pools of machines",
  tags: ["pools"],
  querystring: pageQuerySchema,
  response: { 200: pageSchema(poolSchema), ...refusals(401, 403, 422, 429, 503) },
};

export function listPools(app: App, deps: CallerDeps & PoolDeps): void {
  app.route({
    method: "GET",
    url: "/v1/pools",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => reply.send(cutPage(poolRecords(deps), request.query, (record) => record)),
  });
}
