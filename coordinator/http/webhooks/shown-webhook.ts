/** A webhook as its reader may see it: a receiver's address often holds a token, with which anybody can send to it. */
import { mayDo } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Webhook } from "../../domain/webhook.ts";
import type { View } from "../../store/store.ts";

/** For who may not change webhooks only whose address it is. */
export function shownWebhook(view: Pick<View, "memberships" | "teams">, key: AccessKey, webhook: Webhook): Webhook {
  const mayChange = mayDo(view, key, webhook.teamId, "services");
  return mayChange ? webhook : { ...webhook, url: new URL(webhook.url).origin };
}
