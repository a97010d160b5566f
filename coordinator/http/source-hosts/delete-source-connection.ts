/** DELETE /v1/source-connections/:id. At once: services that are built from it keep running, and are no longer built. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import { refusals } from "../../public/refusals.ts";
import { remove } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "deleteSourceConnection",
  summary: "Delete a connection to a source host",
  description:
    "Services that are built from its repositories keep running and are not built any more. An app stays installed at the " +
    "host, where other teams may use it; it is uninstalled there. Tokens of single repositories are revoked.",
  tags: ["sources"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Deleted."), ...refusals(401, 403, 404, 429, 503) },
};

export function deleteSourceConnection(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/source-connections/:id",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { id: connectionId } = request.params;
      await removeConnection(deps, key, connectionId);
      audit(deps.log, "source_connection_deleted", { requestId: request.id, connectionId, byKeyId: key.id });
      return reply.code(204).send(null);
    },
  });
}

async function removeConnection({ store }: Pick<RecordDeps, "store">, key: AccessKey, id: string): Promise<void> {
  await update(store, {
    read: async () => {
      const connection = await readVisible(store, key, "source-connections", id);
      return { connection, grant: await store.get("source-grants", id) };
    },
    decide: ({ connection, grant }) => [
      remove("source-connections", connection),
      ...(grant === null ? [] : [remove("source-grants", grant)]),
    ],
  });
}
