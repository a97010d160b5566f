/** An order to upgrade agents, on a store in memory: what operators do to it, and what the leader makes of it. */
import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CURRENT_UPGRADE } from "../domain/agent-upgrade.ts";
import { aNode, aReadyService, aTask } from "../domain/testing/records.ts";
import type { Mark } from "../domain/timeline.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { create, replace } from "../store/change.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import { pauseUpgrade, resumeUpgrade, rollBackUpgrade, startUpgrade } from "./order-upgrade.ts";
import { advanceUpgrade } from "./upgrade-loop.ts";

const ORDER = { version: "2.0.0", enrollmentAddress: "c:8444", batchSize: 2, nodeWithinMs: 60_000 };
const log = createLog({ name: "test", level: "silent" });
let store: Store;
let connection: ReturnType<typeof memoryKv>;
let nowMs: number;
let metrics: Metrics;
const clock = { now: () => nowMs, monotonicMs: () => nowMs };

beforeEach(async () => {
  metrics = createMetrics();
  nowMs = 1_800_000_000_000;
  connection = memoryKv();
  store = await openStore({ kv: connection, clock: systemClock, log });
  for (const id of ["a", "b", "c"]) {
    await store.commit([create("nodes", aNode(id, { node: { agentVersion: "1.0.0", since: 0 } }))]);
  }
});
afterEach(async () => {
  await store.close();
  await connection.close();
});

const order = () => store.view.agentUpgrades.get(CURRENT_UPGRADE)?.value;
const advance = () => advanceUpgrade({ store, clock, metrics: metrics.upgrades, log });
const shownPaused = async () => /^elastic_upgrade_paused 1$/m.test(await metrics.registry.metrics());

async function becomes(id: string, agentVersion: string): Promise<void> {
  const node = await store.get("nodes", id);
  if (node === null) throw new Error(`there is no node ${id}`);
  await store.commit([replace("nodes", node, { ...node.value, agentVersion, since: nowMs })]);
}

/** The next batch, all of which take the version and settle. */
async function batch(version = "2.0.0"): Promise<readonly string[]> {
  await advance();
  const nodes = order()?.batch ?? [];
  for (const id of nodes) await becomes(id, version);
  nowMs += 61_000;
  return nodes;
}

test("upgrades one node, then the others, and rolls those back that were upgraded", async () => {
  await startUpgrade(store, ORDER, clock);
  expect([await batch(), await batch()]).toEqual([["a"], ["b", "c"]]);
  await advance();
  expect(order()).toMatchObject({ state: { kind: "completed" }, before: "1.0.0" });
  await becomes("c", "1.0.0");
  const back = await rollBackUpgrade(store, clock);
  expect(back).toMatchObject({ version: "1.0.0", rollbackFrom: "2.0.0", state: { kind: "running" } });
  expect([await batch("1.0.0"), await batch("1.0.0")]).toEqual([["a"], ["b"]]);
  await advance();
  expect(order()?.state.kind).toBe("completed");
  await expect(rollBackUpgrade(store, clock)).rejects.toThrow("there is no upgrade to take back. Nothing was changed");
});

test("pauses when tasks fail on the first node, and continues behind it once an operator resumes", async () => {
  await startUpgrade(store, ORDER, clock);
  await advance();
  await becomes("a", "2.0.0");
  const { service } = aReadyService();
  for (let index = 0; index < 4; index += 1) {
    const started = nowMs + index;
    const failure = {
      reason: "prover_error",
      message: "",
      retryable: false,
      attempts: 1,
      exitCode: 1,
      logTail: "",
    } as const;
    const phase = { kind: "failed", startedAt: started, finishedAt: started + 1, failure } as const;
    const task = aTask(service, { id: newId(started) });
    // The last one ran elsewhere.
    const marks: readonly Mark[] = [
      [started, "started", index === 3 ? "b" : "a"],
      [started + 1, "failed", "prover_error"],
    ];
    const timeline = [...task.timeline, ...marks];
    await store.commit([create("tasks", { ...task, phase, timeline })]);
  }
  await advance();
  expect(order()?.state).toMatchObject({ kind: "paused", why: "3 of 3 attempts failed on node a since it runs 2.0.0" });
  await advance();
  expect([order()?.through, await shownPaused()]).toEqual(["a", true]);
  await resumeUpgrade(store, clock);
  await advance();
  expect(await shownPaused()).toBe(false);
  expect(order()?.batch).toEqual(["b", "c"]);
});

test("refuses a second order while one is under way, and to change one that is not", async () => {
  await expect(pauseUpgrade(store, clock)).rejects.toThrow("no upgrade is under way. Nothing was changed");
  await expect(resumeUpgrade(store, clock)).rejects.toThrow("no upgrade is paused");
  const first = await startUpgrade(store, ORDER, clock);
  await expect(startUpgrade(store, ORDER, clock)).rejects.toThrow("the upgrade to 2.0.0 is under way: pause it first");
  await pauseUpgrade(store, clock);
  await advance();
  expect(order()?.batch).toEqual([]);
  const second = await startUpgrade(store, { ...ORDER, version: "2.1.0" }, clock);
  expect(second.orderId).not.toBe(first.orderId);
});

test("upgrades the chosen canary first, and refuses one that is not to be upgraded", async () => {
  await becomes("b", "2.0.0");
  await store.commit([create("nodes", aNode("away", { node: { agentVersion: "1.0.0", state: "lost" } }))]);
  const start = (canary: string) => startUpgrade(store, { ...ORDER, canary }, clock);
  const name =
    "name a node as --canary that is READY or DRAINING and runs an earlier version than 2.0.0. Nothing was changed";
  await expect(start("gpu-7")).rejects.toThrow(`there is no node gpu-7: ${name}`);
  await expect(start("b")).rejects.toThrow(`node b runs 2.0.0 already: ${name}`);
  await expect(start("away")).rejects.toThrow(`node away is lost: ${name}`);
  expect(order()).toBeUndefined();
  await start("c");
  expect([await batch(), await batch()]).toEqual([["c"], ["a"]]);
  await advance();
  expect(order()?.state.kind).toBe("completed");
});
