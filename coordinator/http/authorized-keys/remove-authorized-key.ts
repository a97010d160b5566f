/** DELETE /v1/me/authorized-keys/:id. It opens nothing any more, and whoever is in a shell by it is out in seconds. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound } from "../problems/problem.ts";
import { changeAuthorizedKeys } from "./change-keys.ts";

const schema = {
  operationId: "removeAuthorizedKey",
  summary: "Remove a public key for shells",
  description: "Sessions that were opened with it end.",
  tags: ["shells"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Removed."), ...refusals(401, 403, 404, 429, 503) },
};

export function removeAuthorizedKey(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/me/authorized-keys/:id",
    schema,
    onRequest: requireUnboundKey(deps, "shells"),
    handler: async (request, reply) => {
      const { userId, id: byKeyId } = keyOf(request);
      const keyId = request.params.id;
      await changeAuthorizedKeys(deps.store, userId, (keys) => {
        const left = keys.filter(({ id }) => id !== keyId);
        if (left.length === keys.length) throw notFound("authorised key");
        return left;
      });
      audit(deps.log, "authorized_key_removed", { requestId: request.id, userId, keyId, byKeyId });
      return reply.code(204).send(null);
    },
  });
}
