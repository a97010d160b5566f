/** DELETE /v1/webhooks/:id. Its deliveries go with it; one that is being sent at that moment may still arrive. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { refusals } from "../../public/refusals.ts";
import { removeRecord } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "deleteWebhook",
  summary: "Delete a webhook",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Deleted."), ...refusals(401, 403, 404, 429, 503) },
};

export function deleteWebhook(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/webhooks/:id",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const key = keyOf(request);
      await removeRecord(deps.store, "webhooks", () => readVisible(deps.store, key, "webhooks", request.params.id));
      audit(deps.log, "webhook_deleted", { requestId: request.id, webhookId: request.params.id, byKeyId: key.id });
      return reply.code(204).send(null);
    },
  });
}
