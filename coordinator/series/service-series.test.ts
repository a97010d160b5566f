import fc from "fast-check";
import { expect, test } from "vitest";
import { percentile } from "../domain/duration-histogram.ts";
import type { TaskUsage } from "../domain/task-usage.ts";
import { ENDED_PHASES, type Figures, type Sample, totalOf } from "./figures.ts";
import { COARSE_MS, COARSE_STEP_MS, FINE_MS, FINE_STEP_MS, ServiceSeries } from "./service-series.ts";

const NOW = 1_700_000_400_000;
const HOUR_MS = 3_600_000;
const IDLE: Sample = { queued: 0, running: 0, workloads: 1, gpus: 0, gpusBusy: 0, memoryBytes: 0 };

function usage(finishedAt: number, given: Partial<TaskUsage> = {}): TaskUsage {
  return { phase: "succeeded", finishedAt, queueMs: 100, runMs: 1_000, gpuMs: 0, slotMs: 0, ...given };
}

/** The figures of the steps of a span, one after the other. */
function steps(series: ServiceSeries, from: number, before: number, stepMs: number): Figures[] {
  const first = Math.floor(from / stepMs) * stepMs;
  const count = Math.ceil((before - first) / stepMs);
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * stepMs;
    return series.figures({ from: start, before: start + stepMs }, stepMs);
  });
}

const endedIn = (all: readonly Figures[]) =>
  all.map(({ tasks }) => ENDED_PHASES.reduce((n, phase) => n + tasks[phase], 0));

test("counts a task in the step in which it ended, whenever it is added", () => {
  const series = new ServiceSeries();
  series.addEnded(usage(NOW));
  series.addEnded(usage(NOW - 2 * FINE_STEP_MS, { phase: "failed" }));
  series.addEnded(usage(NOW - 2 * FINE_STEP_MS, { runMs: null, queueMs: null, phase: "expired" }));
  const seen = steps(series, NOW - 3 * FINE_STEP_MS, NOW + FINE_STEP_MS, FINE_STEP_MS);
  expect(endedIn(seen)).toEqual([0, 2, 0, 1]);
  expect(seen[1]?.tasks).toMatchObject({ failed: 1, expired: 1, succeeded: 0 });
  expect(percentile(seen[1]?.run ?? new Map(), 0.5)).not.toBeNull();
});

test("has as many tasks by longer steps as by shorter ones, and forgets none of the last day", () => {
  const ago = fc.array(fc.nat({ max: COARSE_MS }), { maxLength: 200 });
  fc.assert(
    fc.property(ago, (agos) => {
      const series = new ServiceSeries();
      for (const ms of agos) series.addEnded(usage(NOW - ms));
      const all = (stepMs: number, spanMs: number) => {
        const sum = totalOf(steps(series, NOW - spanMs, NOW + 1, stepMs)).tasks.succeeded;
        const first = Math.floor((NOW - spanMs) / stepMs) * stepMs;
        return [sum, agos.filter((ms) => NOW - ms >= first).length];
      };
      for (const stepMs of [COARSE_STEP_MS, 3 * COARSE_STEP_MS, HOUR_MS]) {
        const [sum, expected] = all(stepMs, COARSE_MS);
        expect(sum).toBe(expected);
      }
      for (const stepMs of [FINE_STEP_MS, 5 * FINE_STEP_MS]) {
        const [sum, expected] = all(stepMs, FINE_MS);
        expect(sum).toBe(expected);
      }
    }),
  );
});

test("shows percentiles within 7 % of the true ones, over any number of tasks", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20 * HOUR_MS }), { minLength: 1, maxLength: 100 }), (times) => {
      const series = new ServiceSeries();
      for (const [index, runMs] of times.entries()) series.addEnded(usage(NOW - index * FINE_STEP_MS, { runMs }));
      const { run } = totalOf(steps(series, NOW - 2 * HOUR_MS, NOW + 1, COARSE_STEP_MS));
      const sorted = times.toSorted((a, b) => a - b);
      for (const share of [0.5, 0.95]) {
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
        expect(Math.abs((percentile(run, share) ?? 0) / exact - 1)).toBeLessThan(0.07);
      }
    }),
  );
});

test("keeps percentiles where more tasks end in a step than a bucket counts", () => {
  const series = new ServiceSeries();
  for (let n = 0; n < 100_000; n++) series.addEnded(usage(NOW, { runMs: n < 10_000 ? 60_000 : 1_000 }));
  const [only] = steps(series, NOW, NOW + 1, COARSE_STEP_MS);
  expect(only?.tasks.succeeded).toBe(100_000);
  expect(percentile(only?.run ?? new Map(), 0.5)).toBeLessThan(1_100);
  expect(percentile(only?.run ?? new Map(), 0.95)).toBeGreaterThan(55_000);
});

test("shows the mean of what was sampled, and nothing where nothing was", () => {
  const series = new ServiceSeries();
  for (const queued of [1, 2, 6]) series.addSample({ ...IDLE, queued }, NOW);
  const [before, now] = steps(series, NOW - FINE_STEP_MS, NOW + 1, FINE_STEP_MS);
  expect([before?.sampled, now?.sampled]).toEqual([null, { ...IDLE, queued: 3 }]);
});

test("forgets what a newer point takes the place of, and takes no such task any more", () => {
  const series = new ServiceSeries();
  series.addEnded(usage(NOW));
  series.addSample(IDLE, NOW);
  const later = NOW + COARSE_MS + 2 * HOUR_MS;
  series.addEnded(usage(later));
  series.addEnded(usage(NOW));
  expect(endedIn(steps(series, NOW, NOW + 1, COARSE_STEP_MS))).toEqual([0]);
  expect(endedIn(steps(series, later, later + 1, COARSE_STEP_MS))).toEqual([1]);
  expect(steps(series, later, later + 1, COARSE_STEP_MS)[0]?.sampled).toBeNull();
});
