/** POST /v1/deliveries/:id/redeliver: attempts it at once, whatever became of it, under the same id. */
import { z } from "zod";
import type { AccessKey } from "../../domain/access-key.ts";
import { type Delivery, redeliver } from "../../domain/delivery.ts";
import { deliveryRecord, deliverySchema } from "../../public/delivery-record.ts";
import { refusals } from "../../public/refusals.ts";
import { updateRecord } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { readDelivery } from "./find-delivery.ts";
import { refuseDisabled } from "./update-webhook.ts";

const schema = {
  operationId: "redeliver",
  summary: "Attempt a delivery again",
  description: "At once. One that waits continues its schedule if that fails; one that ended gets this one attempt.",
  tags: ["webhooks"],
  params: z.object({ id: z.string() }),
  response: { 202: deliverySchema, ...refusals(401, 403, 404, 409, 429, 503) },
};

export function redeliverDelivery(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "POST",
    url: "/v1/deliveries/:id/redeliver",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const delivery = await requestRedelivery(deps, keyOf(request), request.params.id);
      deps.log.info({ requestId: request.id, deliveryId: delivery.id }, "redelivery requested");
      return reply.code(202).send(deliveryRecord(delivery));
    },
  });
}

async function requestRedelivery(
  { store, clock }: Pick<RecordDeps, "store" | "clock">,
  key: AccessKey,
  id: string,
): Promise<Delivery> {
  const read = async () => {
    const { delivery, webhook } = await readDelivery(store, key, id);
    refuseDisabled(webhook);
    return delivery;
  };
  const { result } = await updateRecord(store, "deliveries", read, (before) => redeliver(before, clock.now()));
  return result;
}
