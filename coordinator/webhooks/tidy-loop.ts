/** Keeps the records of webhooks few, now and then, while this process is the one that sends. */
import { setImmediate as turn } from "node:timers/promises";
import type { Loop } from "@elastic/std/loop.ts";
import { startMeteredLoop } from "../metrics/loop-metrics.ts";
import { remove } from "../store/change.ts";
import type { Change, View } from "../store/store.ts";
import { KEPT_MS, tidyDeliveries } from "./tidy-deliveries.ts";
import type { WebhookContext } from "./webhook-context.ts";

const EVERY_MS = 30_000;
/** Commits in flight at a time; they share transactions. */
const COMMITS_MAX = 200;

type Context = Pick<WebhookContext, "store" | "clock" | "log" | "metrics">;

export function startTidying(context: Context & { readonly isSending: () => boolean }): Loop {
  const { isSending: isActive, metrics, log } = context;
  return startMeteredLoop({
    name: "tidy_deliveries",
    everyMs: EVERY_MS,
    isActive,
    turn: () => tidy(context),
    loops: metrics.loops,
    log,
    failure: "deliveries could not be tidied up",
  });
}

export async function tidy({ store, clock, metrics }: Context): Promise<void> {
  const { view } = store;
  const now = clock.now();
  const commitAll = async (changes: readonly Change[]) => {
    for (let at = 0; at < changes.length; at += COMMITS_MAX) {
      const outcomes = await Promise.all(
        changes.slice(at, at + COMMITS_MAX).map(async (change) => ({ change, ...(await store.commit([change])) })),
      );
      for (const { change, kind } of outcomes) {
        if (kind === "committed" && change.kind === "write") metrics.webhooks.ended("dropped");
      }
    }
  };
  await commitAll(webhooksOfGoneServices(view, now));
  for (const webhookId of [...view.deliveries.groups()]) {
    // The view may not have it yet.
    const exists = view.webhooks.get(webhookId) !== undefined || (await store.get("webhooks", webhookId)) !== null;
    await commitAll(tidyDeliveries(view.deliveries.of(webhookId), exists, now));
    await turn();
  }
}

/** The last deliveries of a deleted service stay listed as long as those of others. */
function webhooksOfGoneServices(view: Pick<View, "webhooks" | "services">, now: number): Change[] {
  return [...view.webhooks.values()].flatMap((webhook) => {
    const state = view.services.get(webhook.value.serviceId)?.value.state;
    return state?.kind === "deleted" && state.at <= now - KEPT_MS ? [remove("webhooks", webhook)] : [];
  });
}
