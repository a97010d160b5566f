/** GET /v1/services/:id/webhooks, newest first. */
import { z } from "zod";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { webhookRecord, webhookSchema } from "../../public/webhook-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { shownWebhook } from "./shown-webhook.ts";

const schema = {
  operationId: "listWebhooks",
  summary: "List a service's webhooks",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  querystring: pageQuerySchema,
  response: { 200: pageSchema(webhookSchema), ...refusals(401, 403, 404, 422, 429, 503) },
};

export function listWebhooks(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/services/:id/webhooks",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { value: service } = await readVisible(deps.store, key, "services", request.params.id);
      const webhooks = [...deps.store.view.webhooks.of(service.id)]
        .map(({ value }) => value)
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      return reply.send(
        cutPage(webhooks, request.query, (webhook) => webhookRecord(shownWebhook(deps.store.view, key, webhook))),
      );
    },
  });
}
