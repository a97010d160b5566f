/** DELETE /v1/webhooks/:id. Its deliveries go with it; one that is being sent at that moment may still arrive. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import { remove } from "../../store/change.ts";
import type { App } from "../app.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { refusals } from "../wire/refusals.ts";
import { readWebhook } from "./find-webhook.ts";

const TRIES = 20;

const schema = {
  operationId: "deleteWebhook",
  summary: "Delete a webhook",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Deleted."), ...refusals(401, 403, 404, 429, 503) },
};

export function deleteWebhook(app: App, deps: HttpDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/webhooks/:id",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const key = keyOf(request);
      await removeWebhook(deps, key, request.params.id);
      audit(deps.log, "webhook_deleted", { requestId: request.id, webhookId: request.params.id, byKeyId: key.id });
      return reply.code(204).send(null);
    },
  });
}

async function removeWebhook({ store }: HttpDeps, key: AccessKey, id: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const webhook = await readWebhook(store, key, id);
    if ((await store.commit([remove("webhooks", webhook)])).kind === "committed") return;
  }
  throw new Problem("overloaded", "The webhook changes too quickly; ask again in a moment.");
}
