import { FAILURE_REASONS } from "@elastic/proto/failure-reasons.ts";
import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";

/**
 * Routes are the patterns of the API, statuses and methods those of HTTP, loops and all others what the code lists. An id, a
 * name or a text of a client would make a series of each: it belongs into the log.
 */
const CLOSED_LISTS = [
  ["by", "call", "cause", "direction", "kind", "loop", "method", "of"],
  ["outcome", "phase", "quantile", "reason", "route", "state", "status"],
  // What runs: one value a process.
  ["commit", "node", "version"],
].flat();
/** Of these the twenty largest and `other`: load-metrics.ts. */
const OF_LOAD = /^elastic_(service_|team_|queue_oldest_seconds$)/;

const AN_IDLE_STORE = {
  viewAgeMs: () => 0,
  isFull: () => false,
  size: () => null,
  isNearlyFull: () => false,
  isChanged: () => false,
  unreadable: () => 0,
};

test("what the parts count stands in the text of a scrape", async () => {
  const metrics = createMetrics();
  metrics.tasks.created(12);
  metrics.tasks.ended("timed_out", "run_timeout", 1500);
  metrics.tasks.ended("succeeded", null, -5);
  metrics.http.responded("/v1/tasks/:id", "GET", 200, 3);
  metrics.scheduler.nodes({ ready: 3 });
  metrics.store.observe({
    viewAgeMs: () => 250,
    isFull: () => true,
    size: () => ({ inUseBytes: 70, quotaBytes: 100 }),
    isNearlyFull: () => true,
    isChanged: () => true,
    unreadable: () => 3,
  });
  metrics.loops.turned("sweep_blobs", "failed");
  metrics.archive.archived(40);
  metrics.archive.blobsSwept(2, 9_000);
  metrics.archive.observeLive(() => ({ ended: 7, lagMs: 1_500 }));
  const text = await metrics.registry.metrics();
  expect(text).toContain("elastic_tasks_created_total 1");
  expect(text).toContain('elastic_tasks_ended_total{phase="timed_out",reason="run_timeout"} 1');
  expect(text).toContain('elastic_tasks_ended_total{phase="succeeded",reason="none"} 1');
  expect(text).toContain('elastic_http_requests_total{route="/v1/tasks/:id",method="GET",status="200"} 1');
  expect(text).toContain('elastic_nodes{state="ready"} 3');
  expect(text).toContain('elastic_nodes{state="lost"} 0');
  expect(text).toContain("elastic_store_view_age_seconds 0.25");
  expect(text).toContain("elastic_store_full 1");
  expect(text).toContain("elastic_store_changed 1");
  expect(text).toContain("elastic_store_unreadable_records 3");
  expect(text).toContain("elastic_store_nearly_full 1");
  expect(text).toContain("elastic_store_in_use_bytes 70");
  expect(text).toContain("elastic_store_quota_bytes 100");
  expect(text).toContain('elastic_loop_failing{loop="sweep_blobs"} 1');
  expect(text).toContain("elastic_tasks_archived_total 40");
  expect(text).toContain("elastic_blobs_swept_bytes_total 9000");
  expect(text).toContain("elastic_live_ended_tasks 7");
  expect(text).toContain("elastic_archive_lag_seconds 1.5");
});

test("reports nothing of the fleet once it no longer leads", async () => {
  const { registry, scheduler } = createMetrics();
  scheduler.leading(true);
  scheduler.queueDepth(7);
  scheduler.nodes({ ready: 3, lost: 2 });
  scheduler.quarantined(1);
  scheduler.breaker(true);
  scheduler.breakerReleased(true);
  scheduler.leading(false);
  const values = [...(await registry.metrics()).matchAll(/^elastic_(queue|nodes|scheduler)\S* (\d+)$/gm)];
  expect(values.length).toBeGreaterThan(8);
  expect(values.filter(([, , value]) => value !== "0").map(([line]) => line)).toEqual([]);
});

test("has each reason at 0 before a task ends with it, so that the first is growth", async () => {
  const text = await createMetrics().registry.metrics();
  expect(text).toContain('elastic_tasks_ended_total{phase="expired",reason="queue_timeout"} 0');
  for (const reason of [...FAILURE_REASONS, "none"]) expect(text).toContain(`reason="${reason}"} 0`);
});

test("has no label but those whose values are closed lists", () => {
  const { registry, ...parts } = createMetrics();
  parts.store.observe(AN_IDLE_STORE);
  parts.archive.observeLive(() => ({ ended: 0, lagMs: 0 }));
  parts.webhooks.observeQueue(() => ({ pending: 0, lateMs: 0 }));
  parts.clocks.observe(() => ({ offsetMs: 0, standing: "alone", known: 1 }));
  type Instrument = { readonly name: string; readonly labelNames: readonly string[] };
  const all = registry.getMetricsAsArray() as unknown as readonly Instrument[];
  // The others are of the process.
  const own = all.filter(({ name }) => name.startsWith("elastic_"));
  const labels = (of: readonly Instrument[]) => new Set(of.flatMap(({ labelNames }) => labelNames));
  expect(labels(own.filter(({ name }) => !OF_LOAD.test(name)))).toEqual(new Set(CLOSED_LISTS));
  expect(labels(own.filter(({ name }) => OF_LOAD.test(name)))).toEqual(new Set(["service", "team"]));
});
