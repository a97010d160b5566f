/** PATCH /v1/webhooks/:id. What is left out stays. A new URL is used for what waits already, from its next attempt on. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { disable, enable, type Webhook } from "../../domain/webhook.ts";
import { nameSchema } from "../../public/name-schema.ts";
import { refusals } from "../../public/refusals.ts";
import { eventTypesSchema, webhookRecord, webhookSchema } from "../../public/webhook-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { EgressDeps } from "../deps/egress-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { checkWebhookUrl } from "./check-webhook-url.ts";
import { updateWebhook } from "./update-webhook.ts";

const bodySchema = z.strictObject({
  name: nameSchema.optional(),
  url: z.string().optional(),
  types: eventTypesSchema.optional(),
  enabled: z
    .boolean()
    .optional()
    .describe("What waits when it is disabled is dropped; it can be redelivered manually."),
});

const schema = {
  operationId: "changeWebhook",
  summary: "Change, enable or disable a webhook",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  body: bodySchema,
  response: { 200: webhookSchema, ...refusals(400, 401, 403, 404, 413, 415, 422, 429, 503) },
};

export function changeWebhook(app: App, deps: CallerDeps & RecordDeps & EgressDeps): void {
  app.route({
    method: "PATCH",
    url: "/v1/webhooks/:id",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "services"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { body: requested } = request;
      const key = keyOf(request);
      await readVisible(deps.store, key, "webhooks", request.params.id);
      if (requested.url !== undefined) checkWebhookUrl(deps, requested.url);
      const changed = await updateWebhook(deps.store, key, request.params.id, (webhook) =>
        applied(webhook, requested, deps.clock.now()),
      );
      audit(deps.log, "webhook_changed", { requestId: request.id, webhookId: changed.id, byKeyId: key.id });
      return reply.send(webhookRecord(changed));
    },
  });
}

function applied(webhook: Webhook, requested: z.output<typeof bodySchema>, now: number): Webhook {
  const { name = webhook.name, url = webhook.url, types = webhook.types } = requested;
  const changed = { ...webhook, name, url, types };
  if (requested.enabled === undefined) return changed;
  return requested.enabled ? enable(changed) : disable(changed, "asked", now);
}
