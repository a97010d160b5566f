import { createLog } from "@elastic/std/log.ts";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createLoopMetrics, startMeteredLoop } from "./loop-metrics.ts";

const log = createLog({ name: "test", level: "silent" });
const NEVER_MS = 2 ** 30;

/** A loop of the leader, with how its turns are to end, and its series as a scrape has them. */
function startLoopOfLeader(everyMs: number) {
  const registry = new Registry();
  const state = { leads: true, fails: false, turns: 0, checks: 0 };
  const loop = startMeteredLoop({
    name: "tidy_deliveries",
    everyMs,
    firstAfterMs: 0,
    isActive: () => {
      state.checks += 1;
      return state.leads;
    },
    turn: () => {
      state.turns += 1;
      if (state.fails) throw new Error("away");
    },
    loops: createLoopMetrics(registry),
    log,
    failure: "failed",
  });
  const scrape = async () => {
    const lines = (await registry.metrics()).matchAll(/^elastic_loop_(\w+)\{loop="tidy_deliveries"\} (.+)$/gm);
    return Object.fromEntries([...lines].map(([, name = "", value]) => [name, Number(value)]));
  };
  return { state, loop, scrape };
}

const nowSeconds = () => Date.now() / 1000;

test("has no series of a loop from the scrape on that finds it inactive, and none of before once it returns", async () => {
  const { state, loop, scrape } = startLoopOfLeader(NEVER_MS);
  state.fails = true;
  loop.wake();
  await expect.poll(scrape).toMatchObject({ failing: 1 });
  state.leads = false;
  expect(await scrape()).toEqual({});
  const returnedAt = nowSeconds();
  state.leads = true;
  const { active_since_timestamp_seconds: since, ...others } = await scrape();
  expect(others).toEqual({});
  expect(since).toBeGreaterThanOrEqual(returnedAt - 0.001);
  state.fails = false;
  loop.wake();
  await expect.poll(scrape).toMatchObject({ failing: 0 });
  await loop.stop();
  expect(await scrape()).toEqual({});
});

test("forgets an earlier leader term at a turn that is skipped, where nothing scrapes meanwhile", async () => {
  const { state, loop, scrape } = startLoopOfLeader(1);
  await expect.poll(() => state.turns).toBeGreaterThan(1);
  Object.assign(state, { leads: false, fails: true, checks: 0 });
  await expect.poll(() => state.checks).toBeGreaterThan(2);
  const ended = state.turns;
  state.leads = true;
  await expect.poll(() => state.turns).toBeGreaterThan(ended + 1);
  expect(await scrape()).toEqual({ failing: 1, active_since_timestamp_seconds: expect.any(Number) });
  await loop.stop();
});

test("has the time since when a loop is active while its first turn hangs", async () => {
  const registry = new Registry();
  const { promise: hangs, resolve: ends } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  const startedAt = nowSeconds();
  const loop = startMeteredLoop({
    name: "sweep_blobs",
    everyMs: NEVER_MS,
    firstAfterMs: 0,
    turn: () => {
      begins();
      return hangs;
    },
    loops: createLoopMetrics(registry),
    log,
    failure: "failed",
  });
  await begun;
  const text = await registry.metrics();
  expect(text).not.toContain("elastic_loop_last_success_timestamp_seconds{");
  const since = /elastic_loop_active_since_timestamp_seconds\{loop="sweep_blobs"\} (.+)/.exec(text)?.[1];
  expect(Number(since)).toBeGreaterThanOrEqual(startedAt - 0.001);
  ends();
  await loop.stop();
});
