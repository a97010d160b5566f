/** POST /v1/deliveries/:id/redeliver: attempts it at once, whatever became of it, under the same id. */
import { z } from "zod";
import type { AccessKey } from "../../domain/access-key.ts";
import { type Delivery, redeliver } from "../../domain/delivery.ts";
import { replace } from "../../store/change.ts";
import type { App } from "../app.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { deliveryRecord, deliverySchema } from "../wire/delivery-record.ts";
import { refusals } from "../wire/refusals.ts";
import { readDelivery } from "./find-delivery.ts";
import { refuseDisabled } from "./find-webhook.ts";

const TRIES = 20;

const schema = {
  operationId: "redeliver",
  summary: "Attempt a delivery again",
  description: "At once. One that waits goes on with its schedule if that fails; one that ended gets this one attempt.",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  response: { 202: deliverySchema, ...refusals(401, 403, 404, 409, 429, 503) },
};

export function redeliverDelivery(app: App, deps: HttpDeps): void {
  app.route({
    method: "POST",
    url: "/v1/deliveries/:id/redeliver",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const delivery = await askAgain(deps, keyOf(request), request.params.id);
      deps.log.info({ requestId: request.id, deliveryId: delivery.id }, "delivery asked for again");
      return reply.code(202).send(deliveryRecord(delivery));
    },
  });
}

async function askAgain({ store, clock }: HttpDeps, key: AccessKey, id: string): Promise<Delivery> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { delivery, webhook } = await readDelivery(store, key, id);
    refuseDisabled(webhook);
    const again = redeliver(delivery.value, clock.now());
    if ((await store.commit([replace("deliveries", delivery, again)])).kind === "committed") return again;
  }
  throw new Problem("overloaded", "The delivery changes too quickly; ask again in a moment.");
}
