import { expect, test } from "vitest";
import { TEAM } from "../../domain/testing/records.ts";
import { Simulation } from "../testing/simulation.ts";
import { meanRunAfter, wantedWorkloads } from "./wanted-workloads.ts";

const IDLE_MS = 60_000;

test.each([
  { why: "nothing is open", open: 0, wanted: 0 },
  { why: "the minimum stays", open: 0, min: 2, wanted: 2 },
  { why: "no run has ended yet: all at once", open: 7, wanted: 7 },
  { why: "one takes several at a time", open: 7, concurrency: 4, wanted: 2 },
  { why: "runs are short compared with the target: one does", open: 40, mean: 100, wanted: 1 },
  { why: "runs are as long as the target: half do", open: 8, mean: 10_000, wanted: 4 },
  { why: "runs are long: all at once", open: 8, mean: 600_000, wanted: 8 },
  { why: "never more than the maximum", open: 100, mean: 600_000, wanted: 10 },
  { why: "what is seen is worse than what was estimated", open: 40, mean: 100, serving: 2, waited: 25_000, wanted: 5 },
  { why: "a wait within the target says nothing", open: 40, mean: 100, serving: 2, waited: 9_000, wanted: 1 },
  { why: "no more than there are tasks, however long they wait", open: 3, serving: 3, waited: 1e9, wanted: 3 },
])("$why", ({ open, min = 0, concurrency = 1, mean = null, serving = 0, waited = 0, wanted }) => {
  const scaling = { min, max: 10, idleTimeoutMs: IDLE_MS, targetQueueMs: 10_000 };
  const limits = { concurrency, budgets: { queueMs: 1, startMs: 1, runMs: 1 }, proverRetries: 0 };
  const load = { open, serving, meanRunMs: mean, waitedMs: waited };
  expect(wantedWorkloads(load, { scaling, limits })).toBe(wanted);
});

test("the mean follows runs that become longer, within some tens of them", () => {
  let mean: number | null = null;
  for (let n = 0; n < 100; n++) mean = meanRunAfter(mean, 1_000);
  expect(mean).toBe(1_000);
  for (let n = 0; n < 30; n++) mean = meanRunAfter(mean, 60_000);
  expect(mean).toBeGreaterThan(55_000);
});

function simulate(runMs: number, arrivals: (second: number) => number, seconds: number) {
  const scaling = { min: 0, max: 20, idleTimeoutMs: IDLE_MS, targetQueueMs: 10_000 };
  const simulation = new Simulation({
    slots: 20,
    startMs: 5_000,
    services: [{ teamId: TEAM, runMs, scaling, arrivals }],
  });
  const [observed] = simulation.run(seconds);
  if (observed === undefined) throw new Error("nothing was simulated");
  return observed;
}

test("from nothing to what a load needs, and to nothing again once it is over", () => {
  const { copies, waitsMs } = simulate(8_000, (second) => (second >= 10 && second < 610 ? 1 : 0), 800);
  expect(copies[9]).toBe(0);
  const busy = copies.slice(100, 600);
  // One task a second of eight seconds each keeps eight at work.
  expect(Math.min(...busy)).toBeGreaterThanOrEqual(8);
  expect(Math.max(...busy)).toBeLessThanOrEqual(12);
  expect(copies.at(-1)).toBe(0);
  expect(waitsMs).toHaveLength(600);
  expect(Math.max(...waitsMs)).toBeLessThanOrEqual(10_000);
});

test("starts no further workload for a load that comes and goes more often than the idle time", () => {
  const bursts = (second: number) => (second % 30 === 0 ? 6 : 0);
  const { starts, copies } = simulate(8_000, bursts, 1_800);
  expect(starts).toBeLessThanOrEqual(6);
  expect(new Set(copies.slice(200)).size).toBe(1);
});

test("many short tasks share few workloads, and wait no longer than the target", () => {
  const { copies, waitsMs } = simulate(1_000, (second) => (second % 20 === 0 ? 18 : 0), 1_200);
  expect(Math.max(...copies.slice(60))).toBeLessThanOrEqual(18);
  expect(Math.max(...waitsMs.slice(100))).toBeLessThanOrEqual(11_000);
});
