/** GET /v1/pools/:id: with its machines. */
import { z } from "zod";
import { machineRecords, poolDetailsSchema } from "../../public/pool-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { type PoolDeps, recordOf } from "./find-pool.ts";

const schema = {
  operationId: "getPool",
  summary: "Get a pool and its machines",
  tags: ["pools"],
  params: z.object({ id: z.string().describe("Its name.") }),
  response: { 200: poolDetailsSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function getPool(app: App, deps: CallerDeps & PoolDeps): void {
  app.route({
    method: "GET",
    url: "/v1/pools/:id",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const { id } = request.params;
      const record = recordOf(deps, { id });
      const machines = [...deps.store.view.poolMachines.of(id)].map(({ value }) => value);
      return reply.send({ ...record, items: machineRecords(machines) });
    },
  });
}
