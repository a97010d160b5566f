/** GET /v1/deliveries/:id, with what is posted. */
import { z } from "zod";
import { hasScope } from "../../auth/authorize.ts";
import type { Delivery } from "../../domain/delivery.ts";
import { MESSAGE_HEADERS, messageOf } from "../../domain/delivery-message.ts";
import type { Webhook } from "../../domain/webhook.ts";
import { deliveryRecord, deliveryWithRequestSchema } from "../../public/delivery-record.ts";
import { type EventSource, eventData } from "../../public/event-data.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { readDelivery } from "./find-delivery.ts";
import { shownWebhook } from "./shown-webhook.ts";

const schema = {
  operationId: "getDelivery",
  summary: "Get a delivery",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  response: { 200: deliveryWithRequestSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function getDelivery(app: App, deps: CallerDeps & EventSource): void {
  app.route({
    method: "GET",
    url: "/v1/deliveries/:id",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { delivery, webhook } = await readDelivery(deps.store, key, request.params.id);
      // It holds the task that it is about, with its result.
      const posted = hasScope(key, "tasks:read")
        ? await requestOf(deps, delivery.value, shownWebhook(deps.store.view, key, webhook))
        : null;
      return reply.send({ ...deliveryRecord(delivery.value), request: posted });
    },
  });
}

async function requestOf(deps: EventSource, delivery: Delivery, { url }: Webhook) {
  const body = await messageOf(delivery, (of, bytesMax) => eventData(deps, of, bytesMax));
  return body === null ? null : { url, headers: { ...MESSAGE_HEADERS, "webhook-id": delivery.id }, body };
}
