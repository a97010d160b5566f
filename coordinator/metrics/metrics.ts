/**
 * Every instrument of the coordinator, in the narrow roles its parts are handed. Labels are closed lists, never
 * ids or anything a client sends, so the number of series is bounded.
 */
import { collectDefaultMetrics, Registry } from "prom-client";
import { type ArchiveMetrics, createArchiveMetrics } from "./archive-metrics.ts";
import { type BlobMetrics, createBlobMetrics } from "./blob-metrics.ts";
import { type ClockMetrics, createClockMetrics } from "./clock-metrics.ts";
import { createFleetMetrics, type FleetMetrics } from "./fleet-metrics.ts";
import { createHttpMetrics, type HttpMetrics } from "./http-metrics.ts";
import { createLogMetrics, type LogMetrics } from "./log-metrics.ts";
import { createLoopMetrics, type LoopMetrics } from "./loop-metrics.ts";
import { createRegistryMetrics, type RegistryMetrics } from "./registry-metrics.ts";
import { createSchedulerMetrics, type SchedulerMetrics } from "./scheduler-metrics.ts";
import { createSshMetrics, type SshMetrics } from "./ssh-metrics.ts";
import { createStoreMetrics, type StoreMetrics } from "./store-metrics.ts";
import { createTaskMetrics, type TaskMetrics } from "./task-metrics.ts";
import { createWebhookMetrics, type WebhookMetrics } from "./webhook-metrics.ts";

export interface Metrics {
  readonly registry: Registry;
  readonly http: HttpMetrics;
  readonly tasks: TaskMetrics;
  readonly scheduler: SchedulerMetrics;
  readonly fleet: FleetMetrics;
  readonly logs: LogMetrics;
  readonly loops: LoopMetrics;
  readonly store: StoreMetrics;
  readonly archive: ArchiveMetrics;
  readonly webhooks: WebhookMetrics;
  readonly ssh: SshMetrics;
  readonly blobs: BlobMetrics;
  readonly clocks: ClockMetrics;
  readonly images: RegistryMetrics;
}

/** A separate registry for each call, so that tests do not share counters. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    http: createHttpMetrics(registry),
    tasks: createTaskMetrics(registry),
    scheduler: createSchedulerMetrics(registry),
    fleet: createFleetMetrics(registry),
    logs: createLogMetrics(registry),
    loops: createLoopMetrics(registry),
    store: createStoreMetrics(registry),
    archive: createArchiveMetrics(registry),
    webhooks: createWebhookMetrics(registry),
    ssh: createSshMetrics(registry),
    blobs: createBlobMetrics(registry),
    clocks: createClockMetrics(registry),
    images: createRegistryMetrics(registry),
  };
}
