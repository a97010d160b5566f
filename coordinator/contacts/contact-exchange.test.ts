import { systemClock } from "@elastic/std/clock.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LOST_AFTER_MS } from "../scheduler/decide/judge-nodes.ts";
import { Memory } from "../store/memory/memory.ts";
import { type MemoryKv, memoryKv } from "../store/memory/memory-kv.ts";
import { ContactExchange } from "./contact-exchange.ts";

let nowMs: number;
let memory: Memory;
let kvs: MemoryKv[];
let exchanges: ContactExchange[];

beforeEach(() => {
  nowMs = 100_000;
  memory = new Memory();
  kvs = [];
  exchanges = [];
});
afterEach(async () => {
  await Promise.all(exchanges.map((exchange) => exchange.stop()));
  await Promise.all(kvs.map((kv) => kv.close()));
});

function open(id: string): {
  readonly exchange: ContactExchange;
  readonly seen: Map<string, number>;
  readonly unresponsive: Set<string>;
  readonly kv: MemoryKv;
} {
  const kv = memoryKv(memory);
  const seen = new Map<string, number>();
  const unresponsive = new Set<string>();
  const exchange = new ContactExchange({
    kv,
    id,
    lastSeen: () => seen,
    isUnresponsive: (nodeId) => unresponsive.has(nodeId),
    leaderEpoch: () => null,
    isCandidate: () => true,
    canCommand: true,
    clock: { monotonicMs: () => nowMs },
  });
  kvs.push(kv);
  exchanges.push(exchange);
  return { exchange, seen, unresponsive, kv };
}

test("a node that another coordinator reaches is linked, as of now", async () => {
  const here = open("here");
  const there = open("there");
  there.seen.set("node", nowMs);
  await here.exchange.turn();
  expect(here.exchange.of("node")).toBeNull();
  await there.exchange.turn();
  await expect.poll(() => here.exchange.of("node")).toEqual({ kind: "linked", lastSeenMs: nowMs });
  nowMs += 60_000;
  expect(here.exchange.of("node")).toEqual({ kind: "linked", lastSeenMs: nowMs });
  expect(there.exchange.of("node")).toBeNull();
});

test("a node that another coordinator no longer reaches was seen when that one last saw it", async () => {
  const here = open("here");
  const there = open("there");
  there.seen.set("node", nowMs);
  await there.exchange.turn();
  await here.exchange.turn();
  const lastSeenMs = nowMs;
  nowMs += 8_000;
  await there.exchange.turn();
  await expect.poll(() => here.exchange.of("node")).toEqual({ kind: "unlinked", lastSeenMs });
});

test("a node of which another coordinator receives heartbeats alone is unresponsive, and not lost", async () => {
  const here = open("here");
  const there = open("there");
  there.seen.set("node", nowMs);
  await there.exchange.turn();
  await here.exchange.turn();
  const changed: string[] = [];
  here.exchange.subscribe((nodeId) => changed.push(nodeId));
  there.unresponsive.add("node");
  await there.exchange.turn();
  await expect.poll(() => here.exchange.of("node")).toEqual({ kind: "unresponsive", lastSeenMs: nowMs });
  expect(changed).toEqual(["node"]);
  nowMs += 8_000;
  await there.exchange.turn();
  await expect.poll(() => here.exchange.of("node")).toEqual({ kind: "unlinked", lastSeenMs: nowMs - 8_000 });
});

test("counts the nodes of a coordinator that died as seen until its list ended", async () => {
  const here = open("here");
  const there = open("there");
  there.seen.set("node", nowMs);
  await there.exchange.turn();
  await here.exchange.turn();
  nowMs += LOST_AFTER_MS;
  await there.exchange.stop();
  await expect.poll(() => here.exchange.of("node")).toEqual({ kind: "unlinked", lastSeenMs: nowMs });
});

test("counts the nodes of a coordinator that was killed for five seconds more, and no longer", async () => {
  let aheadMs = 0;
  memory = new Memory({
    now: () => systemClock.now() + aheadMs,
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
  });
  const here = open("here");
  const there = open("there");
  there.seen.set("node", nowMs);
  await there.exchange.turn();
  await here.exchange.turn();
  there.kv.faults.away = true;
  aheadMs += 5_001;
  await expect.poll(() => here.exchange.of("node")?.kind, { timeout: 3_000 }).toBe("unlinked");
});

test("lists again after its watch broke, with what has ended meanwhile", async () => {
  const here = open("here");
  const there = open("there");
  there.seen.set("node", nowMs);
  await there.exchange.turn();
  await here.exchange.turn();
  here.kv.faults.breakWatches();
  await there.exchange.stop();
  nowMs += 1_000;
  await here.exchange.turn();
  expect(here.exchange.of("node")).toEqual({ kind: "unlinked", lastSeenMs: nowMs });
});

test("writes nothing while it reaches the same nodes", async () => {
  const { exchange, seen, kv } = open("here");
  seen.set("node", nowMs);
  await exchange.turn();
  const revision = async () => (await kv.read(["none"])).revision;
  const before = await revision();
  nowMs += 3_000;
  seen.set("node", nowMs);
  await exchange.turn();
  expect(await revision()).toBe(before);
  seen.set("another", nowMs);
  await exchange.turn();
  expect(await revision()).toBeGreaterThan(before);
});
