/**
 * Sends deliveries for as long as this process is the one that does: takes what is due from the queue, which follows
 * the store's view, and settles what became of each. Two senders at once, for a moment, are safe: what a receiver
 * gets twice has the same id, and only one of them settles it.
 */
import { afterTry, type Delivery, drop, isGone } from "../domain/delivery.ts";
import type { Versioned } from "../domain/versioned.ts";
import { isEnabled, type Webhook } from "../domain/webhook.ts";
import type { RecordChange } from "../store/store.ts";
import { DeliveryQueue, type Place } from "./delivery-queue.ts";
import { judge, type Verdict } from "./endpoint-pace.ts";
import { disableGone, settleDelivery } from "./settle-delivery.ts";
import { tryDelivery } from "./try-delivery.ts";
import type { WebhookContext } from "./webhook-context.ts";

/** What could not be tried, because the store or the blobs are away, is taken up again this much later. */
const NOT_TRIED_AGAIN_MS = 2_000;
/** No timer is set for longer: clocks are put right meanwhile. */
const SLEEP_MS_MAX = 60_000;
/** For what is being sent when it stops; what is cut off then is sent again by the next. */
const FINISH_WITHIN_MS = 5_000;

/** How a try went, for the pace of its endpoint. */
interface Went {
  readonly verdict: Verdict | null;
  readonly retryAfterMs: number | null;
}

const NOTHING_SENT: Went = { verdict: null, retryAfterMs: null };

export class Sender {
  readonly #context: WebhookContext;
  readonly #mayStillSend: () => boolean;
  readonly #queue = new DeliveryQueue();
  readonly #sending = new Set<Promise<void>>();
  readonly #cut = new AbortController();
  readonly #unfollow: () => void;
  #timer: NodeJS.Timeout | null = null;
  #turnDue = false;
  #stopped = false;

  constructor(context: WebhookContext, mayStillSend: () => boolean) {
    this.#context = context;
    this.#mayStillSend = mayStillSend;
    const { view } = context.store;
    const unfollowDeliveries = view.deliveries.subscribe((change) => this.#onDelivery(change));
    const unfollowWebhooks = view.webhooks.subscribe(({ id, after }) => after ?? this.#queue.forget(id));
    this.#unfollow = () => {
      unfollowDeliveries();
      unfollowWebhooks();
    };
    for (const { value } of view.deliveries.values()) this.#follow(value);
    this.#wake();
  }

  figures() {
    const { clock } = this.#context;
    return { pending: this.#queue.size, lateMs: Math.max(0, clock.now() - (this.#queue.oldestDueAt() ?? Infinity)) };
  }

  /** Takes nothing more, and lets what is being sent come to its end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unfollow();
    if (this.#timer !== null) clearTimeout(this.#timer);
    const cut = setTimeout(() => this.#cut.abort(new Error("the sender stops")), FINISH_WITHIN_MS);
    await Promise.all(this.#sending);
    clearTimeout(cut);
  }

  #onDelivery({ id, after }: RecordChange<Delivery>): void {
    if (after === undefined) this.#queue.remove(id);
    else this.#follow(after.value);
    this.#wake();
  }

  #follow({ id, webhookId, phase }: Delivery): void {
    if (phase.kind === "pending") this.#queue.put(id, webhookId, phase.nextAt);
    else this.#queue.remove(id);
  }

  /** Changes that come together are looked at together. */
  #wake(): void {
    if (this.#turnDue) return;
    this.#turnDue = true;
    setImmediate(() => {
      this.#turnDue = false;
      this.#turn();
    });
  }

  #turn(): void {
    if (this.#stopped) return;
    const { clock } = this.#context;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (;;) {
      if (!this.#mayStillSend()) return;
      const place = this.#queue.take(clock.now());
      if (place === null) break;
      const sending = this.#send(place).finally(() => this.#sending.delete(sending));
      this.#sending.add(sending);
    }
    const sleepMs = (this.#queue.nextAt() ?? Infinity) - clock.now();
    this.#timer = setTimeout(() => this.#turn(), Math.min(SLEEP_MS_MAX, Math.max(1, sleepMs)));
  }

  async #send(place: Place): Promise<void> {
    const { clock, log } = this.#context;
    let went = NOTHING_SENT;
    try {
      went = await this.#sendOne(place.id);
    } catch (error) {
      if (!this.#cut.signal.aborted)
        log.warn({ err: error, deliveryId: place.id }, "a delivery could not be tried yet");
      this.#queue.put(place.id, place.endpoint, clock.now() + NOT_TRIED_AGAIN_MS);
    }
    this.#queue.done(place, went.verdict, went.retryAfterMs, clock.now());
    this.#wake();
  }

  async #sendOne(id: string): Promise<Went> {
    const { store, metrics } = this.#context;
    const { signal } = this.#cut;
    const read = store.view.deliveries.get(id);
    if (read?.value.phase.kind !== "pending") return NOTHING_SENT;
    const webhook = await this.#webhook(read.value.webhookId);
    if (webhook === null || !isEnabled(webhook)) {
      await this.#abandon(read, webhook === null ? null : "webhook_disabled");
      return NOTHING_SENT;
    }
    const tried = await tryDelivery(this.#context, read.value, webhook, signal);
    if (tried === null) {
      await this.#abandon(read, "subject_gone");
      return NOTHING_SENT;
    }
    const verdict = judge(tried);
    metrics.webhooks.tried(verdict, tried.ms);
    const random = Math.random();
    await settleDelivery(this.#context, read, (delivery) => afterTry(delivery, tried, random), signal);
    if (isGone(tried)) await disableGone(this.#context, webhook.id, signal);
    this.#context.log.debug({ deliveryId: id, webhookId: webhook.id, ...tried }, "tried a delivery");
    return { verdict, retryAfterMs: tried.retryAfterMs };
  }

  /** The view may not have it yet, or a stale one: no delivery is abandoned for that. */
  async #webhook(id: string): Promise<Webhook | null> {
    const { store } = this.#context;
    const seen = store.view.webhooks.get(id)?.value;
    return seen !== undefined && isEnabled(seen) ? seen : ((await store.get("webhooks", id))?.value ?? null);
  }

  async #abandon(read: Versioned<Delivery>, reason: "webhook_disabled" | "subject_gone" | null): Promise<void> {
    const { clock } = this.#context;
    const become = (delivery: Delivery) => (reason === null ? null : drop(delivery, reason, clock.now()));
    await settleDelivery(this.#context, read, become, this.#cut.signal);
  }
}
