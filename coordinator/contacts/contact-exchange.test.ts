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
  readonly kv: MemoryKv;
} {
  const kv = memoryKv(memory);
  const seen = new Map<string, number>();
  const exchange = new ContactExchange({
    kv,
    id,
    lastSeen: () => seen,
    leaderEpoch: () => null,
    isCandidate: () => true,
    canCommand: true,
    clock: { monotonicMs: () => nowMs },
  });
  kvs.push(kv);
  exchanges.push(exchange);
  return { exchange, seen, kv };
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
