/** DELETE /v1/pool-tokens/:id. Machines that were enrolled with it stay. */
import { isId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { refusals } from "../../public/refusals.ts";
import { removeRecord } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound } from "../problems/problem.ts";

const schema = {
  operationId: "revokePoolToken",
  summary: "Revoke a join token of a pool",
  tags: ["pools"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Revoked."), ...refusals(401, 403, 404, 429, 503) },
};

export function revokePoolToken(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/pool-tokens/:id",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const { id } = request.params;
      // A machine may be using it just now.
      await removeRecord(deps.store, "pool-tokens", async () => {
        const token = isId(id) ? await deps.store.get("pool-tokens", id) : null;
        if (token === null) throw notFound("join token");
        return token;
      });
      audit(deps.log, "pool_token_revoked", { requestId: request.id, tokenId: id, byKeyId: keyOf(request).id });
      return reply.code(204).send(null);
    },
  });
}
