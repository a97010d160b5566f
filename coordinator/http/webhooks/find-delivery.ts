/** A delivery that the key may see, as it is now. With its webhook its deliveries are gone too. */
import { isId } from "@elastic/std/ids.ts";
import { mayUseTeam } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Delivery } from "../../domain/delivery.ts";
import type { Webhook } from "../../domain/webhook.ts";
import type { Store, Versioned } from "../../store/store.ts";
import { notFound } from "../problem.ts";

export interface FoundDelivery {
  readonly delivery: Versioned<Delivery>;
  readonly webhook: Webhook;
}

export async function readDelivery(store: Store, key: AccessKey, id: string): Promise<FoundDelivery> {
  const delivery = isId(id) ? await store.get("deliveries", id) : null;
  if (delivery === null || !mayUseTeam(store.view, key, delivery.value.teamId)) throw notFound("delivery");
  const webhook = await store.get("webhooks", delivery.value.webhookId);
  if (webhook === null) throw notFound("delivery");
  return { delivery, webhook: webhook.value };
}
