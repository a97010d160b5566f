/** Changes a webhook that the key may see, whoever else does. */
import type { AccessKey } from "../../domain/access-key.ts";
import type { Webhook } from "../../domain/webhook.ts";
import type { Store } from "../../store/store.ts";
import { updateRecord } from "../../store/update.ts";
import { readVisible } from "../access/read-visible.ts";
import { Problem } from "../problems/problem.ts";

/** Returns the webhook as it is then. */
export async function updateWebhook(
  store: Store,
  key: AccessKey,
  id: string,
  become: (webhook: Webhook) => Webhook,
): Promise<Webhook> {
  const { result } = await updateRecord(store, "webhooks", () => readVisible(store, key, "webhooks", id), become);
  return result;
}

export function refuseDisabled({ state }: Webhook): void {
  if (state.kind === "enabled") return;
  throw new Problem("webhook_disabled", "The webhook is disabled; enable it first.");
}
