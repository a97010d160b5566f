import { afterEach, beforeEach, expect, test } from "vitest";
import { MASS_FAILURE } from "../../domain/circuit-breaker.ts";
import { orderRequeue } from "../../domain/requeue-order.ts";
import { aNode } from "../../domain/testing/records.ts";
import { create, replace } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { LOST_AFTER_MS } from "../decide/judge-nodes.ts";
import { type LeadersTurn, openLeadersTurn } from "../testing/leaders-turn.ts";
import type { TurnContext } from "./turn-context.ts";
import { watchNodes } from "./watch-nodes.ts";

const LINKED = new Set(["node-0"]);

let nowMs = 100_000;
let turn: LeadersTurn;
let store: Store;
let context: TurnContext;

beforeEach(async () => {
  nowMs = 100_000;
  const nodes = Array.from({ length: 4 }, (_, n) => aNode(`node-${n}`));
  turn = await openLeadersTurn(
    () => nowMs,
    nodes,
    (id) => (LINKED.has(id) ? { kind: "linked", lastSeenMs: nowMs } : { kind: "unlinked", lastSeenMs: nowMs - 20_000 }),
  );
  ({ store, context } = turn);
});
afterEach(() => turn.close());

function lostNodes(): number {
  return [...store.view.nodes.values()].filter(({ value }) => value.state === "lost").length;
}

async function gauges(): Promise<readonly string[]> {
  const text = await turn.scrape();
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

test("counts a hello as seen, though the coordinator that it came to has not shared yet that it reaches the node", async () => {
  await store.commit([create("requeue-orders", orderRequeue("user", nowMs))]);
  watchNodes(context, 0);
  await expect.poll(lostNodes).toBe(3);
  const stateOf = (id: string) => store.view.nodes.get(id)?.value.state;
  const read = store.view.nodes.get("node-1");
  if (read === undefined) throw new Error("there is no node");
  await store.commit([replace("nodes", read, { ...read.value, state: "ready", sessionId: "the next" })]);
  nowMs += LOST_AFTER_MS - 1;
  watchNodes(context, 0);
  expect(context.view.nodes.get("node-1")?.pending).toBe(false);
  nowMs += 1;
  watchNodes(context, 0);
  await expect.poll(() => stateOf("node-1")).toBe("lost");
});
