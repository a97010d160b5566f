/** POST /v1/webhooks/:id/test: a delivery of type `webhook.test`, attempted once. */
import { newId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { newDelivery } from "../../domain/delivery.ts";
import { TEST_EVENT_TYPE } from "../../domain/webhook.ts";
import { deliveryRecord, deliverySchema } from "../../public/delivery-record.ts";
import { refusals } from "../../public/refusals.ts";
import { create } from "../../store/change.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { refuseDisabled } from "./update-webhook.ts";

const schema = {
  operationId: "testWebhook",
  summary: "Send a test event",
  description: "Of type `webhook.test`, whatever types the webhook receives. The delivery shows the outcome.",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  response: { 202: deliverySchema, ...refusals(401, 403, 404, 409, 429, 503) },
};

export function testWebhook(app: App, deps: CallerDeps): void {
  app.route({
    method: "POST",
    url: "/v1/webhooks/:id/test",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const { store, clock } = deps;
      const { value: webhook } = await readVisible(store, keyOf(request), "webhooks", request.params.id);
      refuseDisabled(webhook);
      const now = clock.now();
      const event = { type: TEST_EVENT_TYPE, subjectId: webhook.id, createdAt: now } as const;
      const delivery = newDelivery(newId(now), webhook, event);
      const outcome = await store.commit([create("deliveries", delivery)]);
      if (outcome.kind === "conflict") throw new Error(`a new id was taken: ${delivery.id}`);
      return reply
        .code(202)
        .header("location", `${deps.publicUrl()}/v1/deliveries/${delivery.id}`)
        .send(deliveryRecord(delivery));
    },
  });
}
