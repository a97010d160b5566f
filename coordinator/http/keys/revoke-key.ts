/** DELETE /v1/keys/:id. The key opens nothing any more, at any coordinator within a second. Twice is no error. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { type AccessKey, revoked } from "../../domain/access-key.ts";
import { refusals } from "../../public/refusals.ts";
import { updateRecord } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { readKey } from "./find-key.ts";

const schema = {
  operationId: "revokeKey",
  summary: "Revoke an access key",
  description:
    "It stays in the list for a while, as revoked. A key may revoke itself. Keys that were made with it " +
    "stay: they name it as `made_by`.",
  tags: ["keys"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Revoked."), ...refusals(401, 403, 404, 429, 503) },
};

export function revokeKey(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/keys/:id",
    schema,
    onRequest: requireKey(deps, "keys"),
    handler: async (request, reply) => {
      await revoke(deps, keyOf(request), request.params.id, request.id);
      return reply.code(204).send(null);
    },
  });
}

async function revoke(deps: RecordDeps, caller: AccessKey, id: string, requestId: string): Promise<void> {
  const { result: key, isChanged } = await updateRecord(
    deps.store,
    "access-keys",
    () => readKey(deps.store, caller, id),
    (before) => (before.revokedAt === null ? revoked(before, deps.clock.now()) : before),
  );
  if (isChanged) audit(deps.log, "key_revoked", { requestId, keyId: id, userId: key.userId, byKeyId: caller.id });
}
