/** What the parts of the fleet work with, each taking what it needs of it. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Tracing } from "@elastic/std/tracing/tracing.ts";
import type { Archive } from "../archive/archive.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { ClockKeeper } from "../clocks/clock-keeper.ts";
import type { Contacts } from "../contacts/contacts.ts";
import type { FleetMetrics } from "../metrics/fleet-metrics.ts";
import type { LogMetrics } from "../metrics/log-metrics.ts";
import type { TaskMetrics } from "../metrics/task-metrics.ts";
import type { ProgressBoard } from "../progress/progress-board.ts";
import type { StartBoard } from "../progress/start-board.ts";
import type { OwnRegistry } from "../registry/own-registry.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Leadership } from "../store/leadership.ts";
import type { Store } from "../store/store.ts";
import type { TaskLogs } from "../task-logs/task-logs.ts";
import type { Links } from "./links.ts";
import type { NodeBounds } from "./node-bounds.ts";
import type { Violations } from "./violations.ts";

export interface FleetContext {
  readonly store: Store;
  /** Null in a gateway alone, which has nothing to do with tasks that have ended. */
  readonly archive: Pick<Archive, "getMany"> | null;
  readonly leadership: Pick<Leadership, "epoch" | "subscribe">;
  readonly blobs: Pick<BlobStore, "put" | "open">;
  readonly logs: Pick<TaskLogs, "append" | "complete" | "state">;
  readonly progress: Pick<ProgressBoard, "set">;
  readonly starts: Pick<StartBoard, "set">;
  readonly secrets: Pick<Secrets, "open" | "sign">;
  /** Null where the service does not have its own. */
  readonly registry: Pick<OwnRegistry, "host" | "repositoryOf"> | null;
  readonly links: Links;
  /** By which link commands go to a node. */
  readonly contacts: Pick<Contacts, "commandingEpoch" | "onRelayed">;
  readonly clocks: Pick<ClockKeeper, "noteNode">;
  readonly violations: Pick<Violations, "note" | "noteError" | "pass">;
  readonly bounds: NodeBounds;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: {
    readonly fleet: FleetMetrics;
    readonly logs: LogMetrics;
    readonly tasks: TaskMetrics;
    readonly tracing: Pick<Tracing, "record">;
  };
}
