import { expect, test } from "vitest";
import type { ServiceMetrics } from "./metrics-query.ts";
import { serviceCharts, timesOf } from "./service-charts.ts";

const NONE = { succeeded: 0, failed: 0, cancelled: 0, timed_out: 0, expired: 0 };
const SAMPLED = { queued: 2, running: 1, workloads: 1, gpus: 4, gpus_busy: 1, memory_bytes: 2 ** 31 };

const POINTS: ServiceMetrics["points"] = [
  { at: "2026-01-01T00:00:00", tasks: NONE, queue_seconds: null, run_seconds: null, sampled: null },
  {
    at: "2026-01-01T00:01:00",
    tasks: { ...NONE, succeeded: 3, failed: 1, expired: 1 },
    queue_seconds: { p50: 0.1, p95: 0.2 },
    run_seconds: { p50: 1, p95: 2 },
    sampled: SAMPLED,
  },
];

test("has a line for each figure, broken where nothing is known", () => {
  const lines = Object.fromEntries(
    serviceCharts(POINTS).map(({ title, lines }) => [title, lines.map(({ values }) => values)]),
  );
  expect(lines).toEqual({
    "Queue delay": [
      [null, 0.1],
      [null, 0.2],
    ],
    "Run time": [
      [null, 1],
      [null, 2],
    ],
    "Tasks that ended": [
      [0, 3],
      [0, 2],
      [0, 0],
    ],
    "Open tasks": [
      [null, 2],
      [null, 1],
    ],
    Workloads: [[null, 1]],
    "GPU use": [[null, 25]],
    Memory: [[null, 2]],
  });
  expect(timesOf(POINTS)).toEqual([1767225600, 1767225660]);
});

test("shows no GPU use of a service that holds none", () => {
  const without = POINTS.map((point) => ({ ...point, sampled: { ...SAMPLED, gpus: 0, gpus_busy: 0 } }));
  expect(serviceCharts(without).find(({ title }) => title === "GPU use")?.lines[0]?.values).toEqual([null, null]);
});
