/** DELETE /v1/join-tokens/:id. A node that was enrolled with it stays. */
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
  operationId: "revokeJoinToken",
  summary: "Revoke a join token",
  tags: ["nodes"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Revoked."), ...refusals(401, 403, 404, 429, 503) },
};

export function revokeJoinToken(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/join-tokens/:id",
    schema,
    onRequest: requireUnboundKey(deps, "nodes"),
    handler: async (request, reply) => {
      const { id } = request.params;
      // A machine may be using it just now.
      await removeRecord(deps.store, "join-tokens", async () => {
        const token = isId(id) ? await deps.store.get("join-tokens", id) : null;
        if (token === null) throw notFound("join token");
        return token;
      });
      audit(deps.log, "join_token_revoked", { requestId: request.id, tokenId: id, byKeyId: keyOf(request).id });
      return reply.code(204).send(null);
    },
  });
}
