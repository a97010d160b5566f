import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";
import { startMetricsServer } from "./metrics-server.ts";

const log = createLog({ name: "test", level: "silent" });

test("what the parts count stands in the text of a scrape", async () => {
  const metrics = createMetrics();
  metrics.tasks.created(12);
  metrics.tasks.ended("timed_out", "run_timeout", 1500);
  metrics.tasks.ended("succeeded", null, -5);
  metrics.http.answered("/v1/tasks/:id", "GET", 200, 3);
  metrics.scheduler.nodes({ ready: 3 });
  metrics.store.observe({ viewAgeMs: () => 250, isFull: () => true });
  metrics.archive.archived(40);
  metrics.archive.blobsSwept(2, 9_000);
  metrics.archive.observeLive(() => ({ ended: 7, lagMs: 1_500 }));
  const server = await startMetricsServer({ registry: metrics.registry, listen: { host: "127.0.0.1", port: 0 }, log });
  const answer = await fetch(server.url);
  const text = await answer.text();
  expect(answer.headers.get("content-type")).toContain("text/plain");
  expect(text).toContain("elastic_tasks_created_total 1");
  expect(text).toContain('elastic_tasks_ended_total{phase="timed_out",reason="run_timeout"} 1');
  expect(text).toContain('elastic_tasks_ended_total{phase="succeeded",reason="none"} 1');
  expect(text).toContain('elastic_http_requests_total{route="/v1/tasks/:id",method="GET",status="200"} 1');
  expect(text).toContain('elastic_nodes{state="ready"} 3');
  expect(text).toContain('elastic_nodes{state="lost"} 0');
  expect(text).toContain("elastic_store_view_age_seconds 0.25");
  expect(text).toContain("elastic_store_full 1");
  expect(text).toContain("elastic_tasks_archived_total 40");
  expect(text).toContain("elastic_blobs_swept_bytes_total 9000");
  expect(text).toContain("elastic_live_ended_tasks 7");
  expect(text).toContain("elastic_archive_lag_seconds 1.5");
  await server.stop();
});

test("the listener answers nothing but /metrics and stops though a client keeps its connection", async () => {
  const metrics = createMetrics();
  const server = await startMetricsServer({ registry: metrics.registry, listen: { host: "127.0.0.1", port: 0 }, log });
  expect((await fetch(server.url.replace("/metrics", "/"))).status).toBe(404);
  expect((await fetch(server.url, { method: "POST" })).status).toBe(404);
  await server.stop();
  await expect(fetch(server.url)).rejects.toThrow();
});
