import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Node } from "../domain/node.ts";
import { resume } from "../domain/node-drain.ts";
import { aNode } from "../domain/testing/records.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { create } from "../store/change.ts";
import { type MemoryKv, memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import { updateRecord } from "../store/update.ts";
import { VIOLATIONS_MAX, VIOLATIONS_WITHIN_MS } from "./limits.ts";
import { nodeBounds } from "./node-bounds.ts";
import { Violations } from "./violations.ts";

interface Line {
  readonly msg: string;
  readonly of?: string;
  readonly why?: string;
  readonly unlogged?: number;
}

let nowMs: number;
let kv: MemoryKv;
let store: Store;
let lines: Line[];
let violations: Violations;

beforeEach(async () => {
  nowMs = 1_000_000;
  lines = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const clock = { now: () => nowMs, monotonicMs: () => nowMs };
  kv = memoryKv();
  store = await openStore({ kv, clock, log });
  await store.commit([create("nodes", aNode("bad")), create("nodes", aNode("other"))]);
  violations = new Violations({ store, bounds: nodeBounds(clock), clock, log, metrics: createMetrics() });
});
afterEach(async () => {
  await store.close();
  await kv.close();
});

const stateOf = (id: string) => store.view.nodes.get(id)?.value.state;
const refusals = () => lines.filter(({ msg }) => msg.startsWith("refused what an agent sent"));

function noted(times: number, everyMs: number): void {
  for (let time = 0; time < times; time++) {
    violations.note("bad", "attempt", "the attempt is another node's");
    nowMs += everyMs;
  }
}

test("logs a node's kind of violation once a minute, with how many were left out", async () => {
  noted(10, 0);
  violations.note("bad", "logs", "a piece of a log names no attempt");
  expect(refusals().map(({ of, unlogged }) => [of, unlogged])).toEqual([
    ["attempt", 0],
    ["logs", 0],
  ]);
  nowMs += 60_000;
  noted(1, 0);
  expect(refusals().at(-1)).toMatchObject({ of: "attempt", why: "the attempt is another node's", unlogged: 9 });
});

test("quarantines a node for as many within the window, and none for as many over a longer time", async () => {
  noted(2 * VIOLATIONS_MAX, VIOLATIONS_WITHIN_MS / (VIOLATIONS_MAX - 1) + 1);
  expect(stateOf("bad")).toBe("ready");
  noted(VIOLATIONS_MAX, 1);
  await expect.poll(() => stateOf("bad")).toBe("draining");
  expect(stateOf("other")).toBe("ready");
});

test("writes while a node is quarantined once a minute, however much it sends", async () => {
  noted(VIOLATIONS_MAX, 0);
  await expect.poll(() => stateOf("bad")).toBe("draining");
  const refusedAt = () => store.view.nodes.get("bad")?.value.drain?.quarantine?.lastRefusedAt;
  const { revision } = store.view.nodes.get("bad") ?? {};
  noted(1_000, 59);
  expect(store.view.nodes.get("bad")?.revision).toBe(revision);
  nowMs += 1_000;
  const later = nowMs;
  noted(1, 0);
  await expect.poll(refusedAt).toBe(later);
});

test("tries again with the next one where the store was away", async () => {
  const commit = kv.txn.bind(kv);
  kv.txn = () => Promise.reject(new Error("away"));
  noted(VIOLATIONS_MAX, 0);
  await expect.poll(() => lines.some(({ msg }) => msg === "a quarantine could not be stored yet")).toBe(true);
  kv.txn = commit;
  noted(1, 0);
  await expect.poll(() => stateOf("bad")).toBe("draining");
});

test("counts from none again once an operator has resumed the node", async () => {
  noted(2 * VIOLATIONS_MAX - 1, 0);
  await expect.poll(() => stateOf("bad")).toBe("draining");
  noted(VIOLATIONS_MAX - 1, 0);
  const read = () => store.get("nodes", "bad");
  await updateRecord(store, "nodes", read, (node) => resume(node, nowMs));
  await expect.poll(() => stateOf("bad")).toBe("ready");
  noted(VIOLATIONS_MAX - 1, 0);
  // A commit that comes after one of these would.
  for (const hostname of ["one", "another"]) {
    await updateRecord(
      store,
      "nodes",
      () => store.get("nodes", "other"),
      (node) => ({ ...node, hostname }) as Node,
    );
    await expect.poll(() => JSON.stringify(store.view.nodes.get("other"))).toContain(hostname);
  }
  expect(stateOf("bad")).toBe("ready");
  noted(1, 0);
  await expect.poll(() => stateOf("bad")).toBe("draining");
});
