/** A delivery that the key may see, as it is now. With its webhook its deliveries are gone too. */
import type { AccessKey } from "../../domain/access-key.ts";
import type { Delivery } from "../../domain/delivery.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { Webhook } from "../../domain/webhook.ts";
import type { Store } from "../../store/store.ts";
import { readVisible } from "../access/read-visible.ts";
import { notFound } from "../problems/problem.ts";

export interface FoundDelivery {
  readonly delivery: Versioned<Delivery>;
  readonly webhook: Webhook;
}

export async function readDelivery(store: Store, key: AccessKey, id: string): Promise<FoundDelivery> {
  const delivery = await readVisible(store, key, "deliveries", id);
  const webhook = await store.get("webhooks", delivery.value.webhookId);
  if (webhook === null) throw notFound("delivery");
  return { delivery, webhook: webhook.value };
}
