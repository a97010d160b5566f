/** Scrapes that come in a flood: heartbeats, tasks and requests continue, and nothing is read of the store. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { listenForMetrics } from "@elastic/std/net/metrics-listener.ts";
import { startEtcd } from "@elastic/test/cluster/etcd.ts";
import { startScrapeFlood } from "@elastic/test/cluster/scrape-flood.ts";
import type { Registry } from "prom-client";
import { expect, test } from "vitest";
import { loadConfig } from "../config/config.ts";
import { HEARTBEAT_INTERVAL_MS } from "../fleet/limits.ts";
import { createTask, seen } from "../fleet/testing/fleet-fixture.ts";
import { startReadyFleet } from "../fleet/testing/ready-fleet.ts";
import { call } from "../http/testing/call.ts";
import { addReadyService, startHttpFixture } from "../http/testing/http-fixture.ts";
import { openSharedParts } from "../startup/open-shared-parts.ts";

const log = createLog({ name: "test", level: "silent" });
/** Of the 64 that the listener serves: a client may open one before it has closed another. */
const CONNECTIONS = 32;
const TIMES = 30;

/** With what its collections cost: none begins within 100 ms of the one before. */
async function listen(registry: Registry) {
  let collections = 0;
  const metrics = () => {
    collections += 1;
    return registry.metrics();
  };
  const source = { contentType: registry.contentType, metrics };
  const startMs = performance.now();
  const { address, stop } = await listenForMetrics({ source, listen: { host: "127.0.0.1", port: 0 }, log });
  const collectionsMax = () => 1 + (performance.now() - startMs) / 100;
  return { address, stop, collections: () => collections, collectionsMax };
}

test("a flood of scrapes delays no heartbeat until the next one is due, and no task", async () => {
  const { fixture, coordinator, agent, service } = await startReadyFleet();
  const metrics = await listen(coordinator.metrics.registry);
  await using flood = startScrapeFlood(metrics.address, CONNECTIONS);
  await expect.poll(() => metrics.collections()).toBeGreaterThan(1);
  const beatsMs: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const startMs = performance.now();
    await agent.heartbeat();
    beatsMs.push(performance.now() - startMs);
    const task = await createTask(coordinator.store, service);
    await agent.succeed((await agent.nextStart()).attempt, "proof");
    await seen(coordinator.store.view.tasks, task.id, ({ phase }) => phase.kind === "succeeded");
  }
  expect(metrics.collections()).toBeLessThanOrEqual(metrics.collectionsMax());
  const { served, failed } = await flood.stop();
  expect([failed, served >= CONNECTIONS]).toEqual([0, true]);
  expect(Math.max(...beatsMs)).toBeLessThan(HEARTBEAT_INTERVAL_MS);
  await metrics.stop();
  await fixture.close();
});

test("a flood of scrapes fails no creation", async () => {
  const api = await startHttpFixture();
  const { id } = await addReadyService(api.store, api.own);
  const metrics = await listen(api.metrics.registry);
  await using flood = startScrapeFlood(metrics.address, CONNECTIONS);
  await expect.poll(() => metrics.collections()).toBeGreaterThan(1);
  const create = () => call(`${api.url}/v1/services/${id}`, { key: api.own.key, body: '{"input":1}' });
  const statuses = new Set<number>();
  for (let n = 0; n < TIMES; n++) statuses.add((await create()).status);
  expect(metrics.collections()).toBeLessThanOrEqual(metrics.collectionsMax());
  expect([(await flood.stop()).failed, [...statuses]]).toEqual([0, [201]]);
  await metrics.stop();
  await api.close();
});

test("serves the metrics of a coordinator while its store hangs", async () => {
  const dir = mkdtempSync(join(tmpdir(), "metrics-"));
  const etcd = await startEtcd();
  const env = {
    ELASTIC_ETCD: etcd.endpoint,
    ELASTIC_ROLES: "http",
    ELASTIC_HTTP_LISTEN: "127.0.0.1:0",
    ELASTIC_METRICS_LISTEN: "127.0.0.1:0",
    ELASTIC_BLOBS_DIR: join(dir, "blobs"),
    ELASTIC_ARCHIVE: `sqlite:${join(dir, "archive.db")}`,
    ELASTIC_SECRETS_KEY_FILE: join(dir, "keys"),
  };
  const starting = new AsyncDisposableStack();
  const { metricsAddress } = await openSharedParts(loadConfig(env, {}), log, starting);
  await etcd.pause();
  try {
    const response = await fetch(`http://${metricsAddress}/metrics`, { signal: AbortSignal.timeout(2_000) });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("elastic_store_full 0")]);
  } finally {
    etcd.resume();
  }
  await starting.disposeAsync();
  await etcd[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true });
});
