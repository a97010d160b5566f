/** POST /v1/webhooks/:id/rotate-secret. Only this response has the new secret. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { rotateSecret } from "../../domain/webhook.ts";
import { refusals } from "../../public/refusals.ts";
import { newSecretSchema, webhookRecord } from "../../public/webhook-record.ts";
import { newWebhookSecret } from "../../secrets/webhook-secrets.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { updateWebhook } from "./update-webhook.ts";

const schema = {
  operationId: "rotateWebhookSecret",
  summary: "Give a webhook a new secret",
  description: "The previous one signs too for 24 hours; a further rotation within them ends it at once.",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  response: { 200: newSecretSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function rotateWebhookSecret(app: App, deps: CallerDeps & RecordDeps & SecretDeps): void {
  app.route({
    method: "POST",
    url: "/v1/webhooks/:id/rotate-secret",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { id } = request.params;
      const secret = newWebhookSecret(deps.secrets, id);
      const now = deps.clock.now();
      const webhook = await updateWebhook(deps.store, key, id, (before) => rotateSecret(before, secret.sealed, now));
      audit(deps.log, "webhook_secret_rotated", { requestId: request.id, webhookId: id, byKeyId: key.id });
      return reply.send({ ...webhookRecord(webhook), secret: secret.text });
    },
  });
}
