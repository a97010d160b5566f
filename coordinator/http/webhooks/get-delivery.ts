/** GET /v1/deliveries/:id */
import { z } from "zod";
import type { App } from "../app.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { deliveryRecord, deliverySchema } from "../wire/delivery-record.ts";
import { refusals } from "../wire/refusals.ts";
import { readDelivery } from "./find-delivery.ts";

const schema = {
  operationId: "getDelivery",
  summary: "Get a delivery",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  response: { 200: deliverySchema, ...refusals(401, 403, 404, 429, 503) },
};

export function getDelivery(app: App, deps: HttpDeps): void {
  app.route({
    method: "GET",
    url: "/v1/deliveries/:id",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const { delivery } = await readDelivery(deps.store, keyOf(request), request.params.id);
      return reply.send(deliveryRecord(delivery.value));
    },
  });
}
