/**
 * Writes what became of a delivery. It was perhaps sent already, so the writer does not give up while the store is
 * away: what is not written is sent again. For that its loops are not `update` of the store.
 */
import { pause } from "@elastic/std/pause.ts";
import type { Delivery } from "../domain/delivery.ts";
import type { Versioned } from "../domain/versioned.ts";
import { disable } from "../domain/webhook.ts";
import { remove, replace } from "../store/change.ts";
import { StoreUnavailableError } from "../store/kv.ts";
import type { CommitOutcome } from "../store/store.ts";
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
  for (let current: Versioned<Delivery> | null = read; current?.value.phase.kind === "pending"; ) {
    const before: Versioned<Delivery> = current;
    const after = become(before.value);
    const change = after === null ? remove("deliveries", before) : replace("deliveries", before, after);
    const outcome: CommitOutcome = await untilStoreResponds(signal, () => store.commit([change]));
    if (outcome.kind === "committed") {
      if (after !== null && after.phase.kind !== "pending") metrics.webhooks.ended(after.phase.kind);
      return;
    }
    current = await untilStoreResponds(signal, () => store.get("deliveries", before.value.id));
  }
}

/** Its receiver wants nothing further: nothing is sent to it until its team enables it again. */
export async function disableGone({ store, clock, log, metrics }: Context, id: string, signal: AbortSignal) {
  for (;;) {
    const read = await untilStoreResponds(signal, () => store.get("webhooks", id));
    if (read === null || read.value.state.kind === "disabled") return;
    const change = replace("webhooks", read, disable(read.value, "gone", clock.now()));
    if ((await untilStoreResponds(signal, () => store.commit([change]))).kind === "conflict") continue;
    metrics.webhooks.disabled();
    log.info({ webhookId: id, serviceId: read.value.serviceId }, "webhook disabled: its receiver responded with 410");
    return;
  }
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
