import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";

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
  expect(text).toContain("elastic_store_nearly_full 1");
  expect(text).toContain("elastic_store_in_use_bytes 70");
  expect(text).toContain("elastic_store_quota_bytes 100");
  expect(text).toContain('elastic_loop_failing{loop="sweep_blobs"} 1');
  expect(text).toContain("elastic_tasks_archived_total 40");
  expect(text).toContain("elastic_blobs_swept_bytes_total 9000");
  expect(text).toContain("elastic_live_ended_tasks 7");
  expect(text).toContain("elastic_archive_lag_seconds 1.5");
});
