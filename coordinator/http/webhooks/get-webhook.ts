/** GET /v1/webhooks/:id */
import { z } from "zod";
import { refusals } from "../../public/refusals.ts";
import { webhookRecord, webhookSchema } from "../../public/webhook-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { shownWebhook } from "./shown-webhook.ts";

const schema = {
  operationId: "getWebhook",
  summary: "Get a webhook",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  response: { 200: webhookSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function getWebhook(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/webhooks/:id",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { value } = await readVisible(deps.store, key, "webhooks", request.params.id);
      return reply.send(webhookRecord(shownWebhook(deps.store.view, key, value)));
    },
  });
}
