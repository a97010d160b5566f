/**
 * Writes what became of a delivery. It was perhaps sent already, so the writer does not give up while the store is
 * away: what is not written is sent again.
 */
import { pause } from "@elastic/std/pause.ts";
import type { Delivery } from "../domain/delivery.ts";
import type { Versioned } from "../domain/versioned.ts";
import { disable } from "../domain/webhook.ts";
import { remove, replace } from "../store/change.ts";
import { StoreUnavailableError } from "../store/kv.ts";
import { update, updateRecord } from "../store/update.ts";
import type { WebhookContext } from "./webhook-context.ts";

const STORE_AGAIN_MS = 500;

type Context = Pick<WebhookContext, "store" | "clock" | "log" | "metrics">;

/**
 * Changes the delivery as it now is, if it still waits; null removes it. Others change it too: somebody requests an
 * immediate attempt, or a sender that was frozen resumes and records its attempt's outcome.
 */
export async function settleDelivery(
  { store, metrics }: Context,
  read: Versioned<Delivery>,
  become: (delivery: Delivery) => Delivery | null,
  signal: AbortSignal,
): Promise<void> {
  const { result: after } = await untilStoreResponds(signal, () =>
    update<Versioned<Delivery> | null, Delivery | null>(store, {
      read: (isAgain) => (isAgain ? store.get("deliveries", read.value.id) : read),
      decide: (before) => {
        if (before?.value.phase.kind !== "pending") return { changes: [], result: null };
        const after = become(before.value);
        const change = after === null ? remove("deliveries", before) : replace("deliveries", before, after);
        return { changes: [change], result: after };
      },
    }),
  );
  if (after !== null && after.phase.kind !== "pending") metrics.webhooks.ended(after.phase.kind);
}

/** Its receiver wants nothing further: nothing is sent to it until its team enables it again. */
export async function disableGone({ store, clock, log, metrics }: Context, id: string, signal: AbortSignal) {
  const { result, isChanged } = await untilStoreResponds(signal, () =>
    updateRecord(
      store,
      "webhooks",
      () => store.get("webhooks", id),
      (webhook) => (webhook.state.kind === "disabled" ? webhook : disable(webhook, "gone", clock.now())),
    ),
  );
  if (!isChanged) return;
  metrics.webhooks.disabled();
  log.info({ webhookId: id, serviceId: result?.serviceId }, "webhook disabled: its receiver responded with 410");
}

async function untilStoreResponds<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || signal.aborted) throw error;
      await pause(STORE_AGAIN_MS, signal);
    }
  }
}
