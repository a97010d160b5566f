/** A webhook that the key may see, as it is now, and changing it whoever else does. */
import { isId } from "@elastic/std/ids.ts";
import { mayUseTeam } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Webhook } from "../../domain/webhook.ts";
import type { Store, Versioned } from "../../store/store.ts";
import { updateRecord } from "../../store/update.ts";
import { notFound, Problem } from "../problem.ts";

export async function readWebhook(store: Store, key: AccessKey, id: string): Promise<Versioned<Webhook>> {
  const webhook = isId(id) ? await store.get("webhooks", id) : null;
  if (webhook === null || !mayUseTeam(store.view, key, webhook.value.teamId)) throw notFound("webhook");
  return webhook;
}

/** Answers what it has become. */
export async function updateWebhook(
  store: Store,
  key: AccessKey,
  id: string,
  become: (webhook: Webhook) => Webhook,
): Promise<Webhook> {
  const { result } = await updateRecord(store, "webhooks", () => readWebhook(store, key, id), become);
  return result;
}

export function refuseDisabled({ state }: Webhook): void {
  if (state.kind === "enabled") return;
  throw new Problem("webhook_disabled", "The webhook is disabled; enable it first.");
}
