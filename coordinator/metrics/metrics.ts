/**
 * Every instrument of the coordinator, in the narrow roles its parts are handed. Labels are closed lists, never ids or anything
 * a client sends, so the number of series is bounded; load-metrics.ts has the only ids, of a few services and teams.
 */
import { addBuildInfo } from "@elastic/std/metrics/build-info.ts";
import { addEventLoopDelay } from "@elastic/std/metrics/event-loop-delay.ts";
import { addSpanMetrics } from "@elastic/std/metrics/span-metrics.ts";
import type { SpanCounts } from "@elastic/std/tracing/span-queue.ts";
import { LateTracing } from "@elastic/std/tracing/tracing.ts";
import { collectDefaultMetrics, Registry } from "prom-client";
import { COORDINATOR_VERSION } from "../domain/coordinator-version.ts";
import { type ArchiveMetrics, createArchiveMetrics } from "./archive-metrics.ts";
import { type BlobMetrics, createBlobMetrics } from "./blob-metrics.ts";
import { type ClockMetrics, createClockMetrics } from "./clock-metrics.ts";
import { createFleetMetrics, type FleetMetrics } from "./fleet-metrics.ts";
import { createHttpMetrics, type HttpMetrics } from "./http-metrics.ts";
import { createLoadMetrics, type LoadMetrics } from "./load-metrics.ts";
import { createLogMetrics, type LogMetrics } from "./log-metrics.ts";
import { createLoopMetrics, type LoopMetrics } from "./loop-metrics.ts";
import { createPoolMetrics, type PoolMetrics } from "./pool-metrics.ts";
import { createRegistryMetrics, type RegistryMetrics } from "./registry-metrics.ts";
import { createSchedulerMetrics, type SchedulerMetrics } from "./scheduler-metrics.ts";
import { createSshMetrics, type SshMetrics } from "./ssh-metrics.ts";
import { createStoreMetrics, type StoreMetrics } from "./store-metrics.ts";
import { createTaskMetrics, type TaskMetrics } from "./task-metrics.ts";
import { createUpgradeMetrics, type UpgradeMetrics } from "./upgrade-metrics.ts";
import { createWebhookMetrics, type WebhookMetrics } from "./webhook-metrics.ts";

export interface Metrics {
  readonly registry: Registry;
  readonly http: HttpMetrics;
  readonly tasks: TaskMetrics;
  readonly scheduler: SchedulerMetrics;
  readonly load: LoadMetrics;
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
  readonly spans: SpanCounts;
  /** Off until it is opened. */
  readonly tracing: LateTracing;
  readonly pools: PoolMetrics;
  readonly upgrades: UpgradeMetrics;
}

/** A separate registry for each call, so that tests do not share counters. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addBuildInfo(registry, COORDINATOR_VERSION);
  addEventLoopDelay(registry);
  return {
    registry,
    http: createHttpMetrics(registry),
    tasks: createTaskMetrics(registry),
    scheduler: createSchedulerMetrics(registry),
    load: createLoadMetrics(registry),
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
    spans: addSpanMetrics(registry),
    tracing: new LateTracing(),
    pools: createPoolMetrics(registry),
    upgrades: createUpgradeMetrics(registry),
  };
}
