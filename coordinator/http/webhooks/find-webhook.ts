/** A webhook that the key may see, as it is now, and changing it whoever else does. */
import { isId } from "@elastic/std/ids.ts";
import { mayUseTeam } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Webhook } from "../../domain/webhook.ts";
import { replace } from "../../store/change.ts";
import type { Store, Versioned } from "../../store/store.ts";
import { notFound, Problem } from "../problem.ts";

const TRIES = 20;

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
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await readWebhook(store, key, id);
    const after = become(before.value);
    if (after === before.value) return after;
    if ((await store.commit([replace("webhooks", before, after)])).kind === "committed") return after;
  }
  throw new Problem("overloaded", "The webhook changes too quickly; ask again in a moment.");
}

export function refuseDisabled({ state }: Webhook): void {
  if (state.kind === "enabled") return;
  throw new Problem("webhook_disabled", "The webhook is disabled; enable it first.");
}
