/** GET /v1/webhooks/:id/deliveries, newest first, with what each attempt came to. */
import { z } from "zod";
import { deliveryRecord, deliverySchema, deliveryStates } from "../../public/delivery-record.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listDeliveries",
  summary: "List a webhook's deliveries",
  description: "Those that ended are retained for seven days, the newest thousand of a webhook.",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  querystring: pageQuerySchema.extend({ state: z.enum(deliveryStates).optional() }),
  response: { 200: pageSchema(deliverySchema), ...refusals(401, 403, 404, 422, 429, 503) },
};

export function listDeliveries(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/webhooks/:id/deliveries",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const { value: webhook } = await readVisible(deps.store, keyOf(request), "webhooks", request.params.id);
      const { state } = request.query;
      const deliveries = [...deps.store.view.deliveries.of(webhook.id)]
        .map(({ value }) => value)
        .filter(({ phase }) => state === undefined || phase.kind === state)
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      return reply.send(cutPage(deliveries, request.query, deliveryRecord));
    },
  });
}
