/** No task ends early, whatever the clock of the machine does. */

import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GuardedClock } from "../clocks/guarded-clock.ts";
import { aReadyService, aTask } from "../domain/testing/records.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { create } from "../store/change.ts";
import { LEADER_KEY } from "../store/keys.ts";
import { type MemoryKv, memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import { type Scheduler, startScheduler } from "./scheduler-loop.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const log = createLog({ name: "test", level: "silent" });
const { service, deployment } = aReadyService();

let machineAheadMs: number;
let kv: MemoryKv;
let clock: GuardedClock;
let store: Store;
const schedulers: Scheduler[] = [];

beforeEach(async () => {
  machineAheadMs = 0;
  clock = startClock();
  kv = memoryKv();
  store = await openStore({ kv, clock, log });
  await store.commit([create("services", service), create("deployments", deployment)]);
});
afterEach(async () => {
  for (const scheduler of schedulers.splice(0)) await scheduler.stop();
  await store.close();
  await kv.close();
});

/** Of a process that starts now. */
function startClock(): GuardedClock {
  return new GuardedClock({ now: () => Date.now() + machineAheadMs, monotonicMs: () => performance.now() });
}

async function lead(of = clock): Promise<void> {
  const leader = { compares: [], puts: [{ key: LEADER_KEY, value: Buffer.from("me") }], deletes: [] };
  const { revision: epoch } = await kv.txn(leader);
  const links = { of: () => null, subscribe: () => () => undefined };
  const leadership = { epoch: () => epoch, subscribe: () => () => undefined };
  schedulers.push(startScheduler({ store, links, leadership, clock: of, log, metrics: createMetrics() }));
}

/** Waits for a workload, of which there is none, for so long. */
async function wait(queueMs: number): Promise<string> {
  const id = newId(Date.now());
  // No start budget before it: what is left of the queue's decides alone.
  const budgets = { queueMs, startMs: queueMs, runMs: HOUR_MS };
  await store.commit([create("tasks", aTask(service, { id, createdAt: clock.now(), budgets }))]);
  return id;
}

async function phaseOf(id: string): Promise<string | undefined> {
  return (await store.get("tasks", id))?.value.phase.kind;
}

/** Once a task has ended that was posted now, the leader has looked at all that was due by then. */
async function afterTurns(queueMs = 50): Promise<void> {
  const short = await wait(queueMs);
  await expect.poll(() => phaseOf(short), { timeout: 5_000 }).toBe("expired");
}

test("continues to wait where the machine's clock steps by a day, ahead or back", async () => {
  await lead();
  const task = await wait(HOUR_MS);
  for (const stepMs of [DAY_MS, -2 * DAY_MS]) {
    machineAheadMs += stepMs;
    await afterTurns();
  }
  expect(await phaseOf(task)).toBe("queued");
});

test("continues to wait where the coordinator's clock is set a day ahead, also under the next leader", async () => {
  await lead();
  const task = await wait(HOUR_MS);
  clock.set(DAY_MS);
  await afterTurns();
  await lead();
  await afterTurns();
  expect(await phaseOf(task)).toBe("queued");
});

test("continues to wait where a leader starts with a clock a day ahead that is not compared yet", async () => {
  const task = await wait(HOUR_MS);
  machineAheadMs = DAY_MS;
  const wrong = startClock();
  wrong.doubtFor(15_000);
  await lead(wrong);
  await afterTurns();
  expect(await phaseOf(task)).toBe("queued");
});

test("waits for as long as it may from its creation once the clock of its leader is set back", async () => {
  const task = await wait(HOUR_MS);
  machineAheadMs = DAY_MS;
  const wrong = startClock();
  wrong.doubtFor(300);
  await lead(wrong);
  wrong.set(-DAY_MS);
  await afterTurns(600);
  expect(await phaseOf(task)).toBe("queued");
});
