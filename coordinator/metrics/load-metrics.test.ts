import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createLoadMetrics } from "./load-metrics.ts";

const A_LOAD = { teamId: "t", oldestMs: null, queued: 0, running: 0, workloads: 0, slots: 0 };

async function scrape(
  loads: Parameters<ReturnType<typeof createLoadMetrics>["observe"]>[0],
): Promise<readonly string[]> {
  const registry = new Registry();
  createLoadMetrics(registry).observe(loads);
  return (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

test("shows the services whose tasks wait longest, and the others as one", async () => {
  const loads = Array.from({ length: 1_000 }, (_, n) => ({
    ...A_LOAD,
    serviceId: `s${n}`,
    teamId: `t${n % 50}`,
    oldestMs: n * 1000,
    queued: 1,
    slots: 2,
  }));
  const lines = await scrape(() => loads);
  expect(lines).toContain('elastic_queue_oldest_seconds{service="s999"} 999');
  expect(lines).toContain('elastic_queue_oldest_seconds{service="s980"} 980');
  expect(lines).toContain('elastic_queue_oldest_seconds{service="other"} 979');
  expect(lines).toContain('elastic_service_queued_tasks{service="other"} 980');
  expect(lines).toContain('elastic_team_held_slots{team="other"} 1200');
  // Seven gauges, of twenty and one.
  expect(lines).toHaveLength(7 * 21);
});

test("has no age where nothing waits, and nothing on a coordinator that does not lead", async () => {
  const lines = await scrape(() => [{ ...A_LOAD, serviceId: "s", running: 3, workloads: 1, slots: 1 }]);
  expect(lines).toEqual([
    'elastic_service_queued_tasks{service="s"} 0',
    'elastic_service_running_tasks{service="s"} 3',
    'elastic_service_ready_workloads{service="s"} 1',
    'elastic_team_queued_tasks{team="t"} 0',
    'elastic_team_running_tasks{team="t"} 3',
    'elastic_team_held_slots{team="t"} 1',
  ]);
  expect(await scrape(() => [])).toEqual([]);
});
