/** DELETE /v1/pools/:id: of a pool without machines, since nobody else has them removed. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { exists } from "../../domain/pool-machine.ts";
import { refusals } from "../../public/refusals.ts";
import { remove } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "../problems/problem.ts";
import { readPool } from "./find-pool.ts";

const schema = {
  operationId: "deletePool",
  summary: "Delete a pool that has no machines",
  tags: ["pools"],
  params: z.object({ id: z.string().describe("Its name.") }),
  response: { 204: z.null().describe("Deleted, with its join tokens."), ...refusals(401, 403, 404, 409, 429, 503) },
};

export function deletePool(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/pools/:id",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const { id } = request.params;
      const { view } = deps.store;
      await update(deps.store, {
        read: () => readPool(deps, id),
        decide: (pool) => {
          const machines = [...view.poolMachines.of(id)].filter(({ value }) => exists(value)).length;
          if (machines > 0) throw new Problem("pool_in_use", inUse(machines));
          return [remove("pools", pool), ...[...view.poolTokens.of(id)].map((token) => remove("pool-tokens", token))];
        },
      });
      audit(deps.log, "pool_deleted", { requestId: request.id, pool: id, byKeyId: keyOf(request).id });
      return reply.code(204).send(null);
    },
  });
}

function inUse(machines: number): string {
  return `The pool has ${machines} machines, which its driver is to remove first: set min and max to 0, and wait until it has none. Nothing was changed.`;
}
