/** POST /v1/pools/:id/resume: it grows again, after its machines did not come up and somebody has mended why. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { poolSchema } from "../../public/pool-record.ts";
import { refusals } from "../../public/refusals.ts";
import { updateRecord } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { type PoolDeps, readPool, recordOf } from "./find-pool.ts";

const schema = {
  operationId: "resumePool",
  summary: "Let a pool grow again",
  description:
    "Machines that did not come up before count no longer: neither for a stop, nor for the wait after a failure.",
  tags: ["pools"],
  params: z.object({ id: z.string().describe("Its name.") }),
  response: { 200: poolSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function resumePool(app: App, deps: CallerDeps & PoolDeps): void {
  app.route({
    method: "POST",
    url: "/v1/pools/:id/resume",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const { id } = request.params;
      const resumedAt = deps.clock.now();
      const read = () => readPool(deps, id);
      await updateRecord(deps.store, "pools", read, (pool) => ({ ...pool, stopped: null, resumedAt }));
      audit(deps.log, "pool_resumed", { requestId: request.id, pool: id, byKeyId: keyOf(request).id });
      return reply.send(recordOf(deps, { id }));
    },
  });
}
