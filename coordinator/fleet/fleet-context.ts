/** What the parts of the fleet work with, each taking what it needs of it. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { FleetMetrics } from "../metrics/fleet-metrics.ts";
import type { TaskMetrics } from "../metrics/task-metrics.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Leadership } from "../store/leadership.ts";
import type { Store } from "../store/store.ts";
import type { Links } from "./links.ts";

export interface FleetContext {
  readonly store: Store;
  readonly leadership: Pick<Leadership, "epoch" | "subscribe">;
  readonly blobs: Pick<BlobStore, "put" | "open">;
  readonly secrets: Pick<Secrets, "open">;
  readonly links: Links;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: { readonly fleet: FleetMetrics; readonly tasks: TaskMetrics };
}
