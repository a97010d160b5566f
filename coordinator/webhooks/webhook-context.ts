/** What the parts of the sender work with; wired by main. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Tracing } from "@elastic/std/tracing/tracing.ts";
import type { DescribeEvent } from "../domain/delivery-message.ts";
import type { Egress } from "../egress/egress.ts";
import type { LoopMetrics } from "../metrics/loop-metrics.ts";
import type { WebhookMetrics } from "../metrics/webhook-metrics.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Store } from "../store/store.ts";

export interface WebhookContext {
  readonly store: Store;
  readonly secrets: Pick<Secrets, "open">;
  readonly egress: Pick<Egress, "request">;
  readonly describe: DescribeEvent;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: {
    readonly webhooks: WebhookMetrics;
    readonly loops: LoopMetrics;
    readonly tracing: Pick<Tracing, "begin">;
  };
}
