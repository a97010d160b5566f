import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GuardedClock } from "../../clocks/guarded-clock.ts";
import { MASS_FAILURE } from "../../domain/circuit-breaker.ts";
import { orderRequeue } from "../../domain/requeue-order.ts";
import { aNode } from "../../domain/testing/records.ts";
import { createMetrics, type Metrics } from "../../metrics/metrics.ts";
import { create } from "../../store/change.ts";
import { LEADER_KEY } from "../../store/keys.ts";
import { type MemoryKv, memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import type { Store } from "../../store/store.ts";
import { followStore } from "../view/follow-store.ts";
import { SchedulerView } from "../view/scheduler-view.ts";
import { Committer } from "./committer.ts";
import type { TurnContext } from "./turn-context.ts";
import { watchNodes } from "./watch-nodes.ts";

const LINKED = new Set(["node-0"]);

let nowMs = 100_000;
let kv: MemoryKv;
let store: Store;
let metrics: Metrics;
let context: TurnContext;
let stop: () => void;

beforeEach(async () => {
  nowMs = 100_000;
  const log = createLog({ name: "test", level: "silent" });
  const clock = new GuardedClock({ now: () => nowMs, monotonicMs: () => nowMs });
  kv = memoryKv();
  store = await openStore({ kv, clock, log });
  const leader = { compares: [], puts: [{ key: LEADER_KEY, value: Buffer.from("me") }], deletes: [] };
  const { revision: epoch } = await kv.txn(leader);
  await store.commit(Array.from({ length: 4 }, (_, n) => create("nodes", aNode(`node-${n}`))));
  metrics = createMetrics();
  const links: TurnContext["links"] = {
    of: (id) =>
      LINKED.has(id) ? { kind: "linked", lastSeenMs: nowMs } : { kind: "unlinked", lastSeenMs: nowMs - 20_000 },
    subscribe: () => () => undefined,
  };
  const view = new SchedulerView();
  stop = followStore(view, { records: store.view, links, clock }, () => undefined);
  const wake = () => undefined;
  const committer = new Committer({ store, epoch, clock, log, conflicted: wake, wake });
  context = { store, links, clock, log, metrics, view, committer, epoch, wake };
});
afterEach(async () => {
  context.committer.stop();
  stop();
  await store.close();
  await kv.close();
});

function lostNodes(): number {
  return [...store.view.nodes.values()].filter(({ value }) => value.state === "lost").length;
}

async function gauges(): Promise<readonly string[]> {
  const text = await metrics.registry.metrics();
  return [...text.matchAll(/^elastic_scheduler_brake\w* [01]$/gm)].map(([gauge]) => gauge);
}

test("most of a fleet that goes at once is lost only once an operator says so, and that for ten minutes", async () => {
  watchNodes(context, 0);
  expect(await gauges()).toEqual(["elastic_scheduler_brake 1", "elastic_scheduler_brake_released 0"]);
  expect(lostNodes()).toBe(0);
  const openSince = () => store.view.circuitBreakers.get(MASS_FAILURE)?.value.openSince;
  await expect.poll(openSince).toBe(nowMs);
  await store.commit([create("requeue-orders", orderRequeue("user", nowMs))]);
  watchNodes(context, 0);
  expect(await gauges()).toEqual(["elastic_scheduler_brake 0", "elastic_scheduler_brake_released 1"]);
  await expect.poll(lostNodes).toBe(3);
  expect(openSince()).toBeNull();
  nowMs += 600_000;
  watchNodes(context, 0);
  expect(await gauges()).toEqual(["elastic_scheduler_brake 0", "elastic_scheduler_brake_released 0"]);
});

test("an expired order does not release the circuit breaker", async () => {
  await store.commit([create("requeue-orders", orderRequeue("user", nowMs - 600_000))]);
  watchNodes(context, 0);
  expect(await gauges()).toEqual(["elastic_scheduler_brake 1", "elastic_scheduler_brake_released 0"]);
  expect(lostNodes()).toBe(0);
});
