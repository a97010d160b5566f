/** What the sender of webhooks counts. A coordinator that does not send reports an empty queue. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** What became of one try. */
type TryOutcome = "taken" | "refused" | "slow";
/** What became of a delivery. */
type DeliveryOutcome = "delivered" | "failed" | "dropped";

export interface WebhookMetrics {
  tried(outcome: TryOutcome, elapsedMs: number): void;
  ended(outcome: DeliveryOutcome): void;
  /** A receiver wants nothing further. */
  disabled(): void;
  observeQueue(queue: () => QueueFigures): void;
}

interface QueueFigures {
  /** Deliveries that wait, for their next try too, or are being sent. */
  readonly pending: number;
  /** How late the one is that should have been sent first. */
  readonly lateMs: number;
}

export function createWebhookMetrics(registry: Registry): WebhookMetrics {
  const registers = [registry];
  const tries = new Histogram({
    name: "elastic_webhook_try_seconds",
    help: "Time of one try of a delivery, by how it went.",
    labelNames: ["outcome"],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  });
  const ended = new Counter({
    name: "elastic_webhook_deliveries_total",
    help: "Deliveries that ended, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const disabled = new Counter({
    name: "elastic_webhooks_disabled_total",
    help: "Webhooks disabled because their receiver responded that it is gone.",
    registers,
  });
  let figures: () => QueueFigures = () => ({ pending: 0, lateMs: 0 });
  new Gauge({
    name: "elastic_webhook_pending_deliveries",
    help: "Deliveries that wait, for their next try too, or are being sent.",
    registers,
    collect() {
      this.set(figures().pending);
    },
  });
  new Gauge({
    name: "elastic_webhook_late_seconds",
    help: "How late the delivery is that should have been sent first.",
    registers,
    collect() {
      this.set(figures().lateMs / 1000);
    },
  });
  return {
    tried: (outcome, elapsedMs) => tries.observe({ outcome }, Math.max(0, elapsedMs) / 1000),
    ended: (outcome) => ended.inc({ outcome }),
    disabled: () => disabled.inc(),
    observeQueue: (queue) => {
      figures = queue;
    },
  };
}
