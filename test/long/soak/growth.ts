/** What all processes and the store hold, once what they did is done: as counts of a history, which the checker compares. */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { CountLine } from "../../checker/history-line.ts";
import type { HistoryFile } from "../../cluster/checker/history-file.ts";
import { compact, readEtcdSize } from "../../cluster/etcd-size.ts";
import type { Fleet } from "./fleet.ts";

/** How many times what was held after the first half may be held after the second; or, where that is little, how much more. */
const GROWTH_MAX = 1.25;
const SLACK = 8;
/** Of etcd no garbage can be collected from outside, and Go lets it grow to as much again as is held. */
const ETCD_RESIDENT_GROWTH_MAX = 2;
const ETCD_RESIDENT = "MiB resident of etcd";
const SETTLED_WITHIN_MS = 240_000;
const MEASURED_EVERY_MS = 6_000;
const MEASURED_TIMES_MAX = 40;
/** Coordinators close connections that clients leave idle for somewhat less than this. */
const IDLE_CLOSED_AFTER_MS = 80_000;
/** Of descriptors and of MiB: reading opens a connection itself. */
const ALIKE = 3;

export async function recordHeld(
  { fleet, etcdEndpoint, history }: { fleet: Fleet; etcdEndpoint: string; history: HistoryFile },
  when: CountLine["when"],
): Promise<Readonly<Record<string, number>>> {
  await expect.poll(() => fleet.liveEnded(), { timeout: SETTLED_WITHIN_MS, interval: 500 }).toBe(0);
  await compact(etcdEndpoint, (await readEtcdSize(etcdEndpoint)).revision);
  const counts = await atRest(fleet, etcdEndpoint);
  for (const [name, value] of Object.entries(counts)) {
    history.write({ kind: "count", name, when, value, growth_max: growthMax(name, value) });
  }
  return counts;
}

function growthMax(name: string, value: number): number {
  return name === ETCD_RESIDENT ? ETCD_RESIDENT_GROWTH_MAX : Math.max(GROWTH_MAX, 1 + SLACK / value);
}

/** Idle connections are closed after a while, and what a compaction freed is counted later: until two readings are alike. */
async function atRest(fleet: Fleet, etcdEndpoint: string): Promise<Readonly<Record<string, number>>> {
  const sinceMs = performance.now();
  let before = await read(fleet, etcdEndpoint);
  for (let times = 1; times < MEASURED_TIMES_MAX; times += 1) {
    await delay(MEASURED_EVERY_MS);
    const now = await read(fleet, etcdEndpoint);
    const isAtRest = Object.entries(now).every(([name, value]) => Math.abs(value - (before[name] ?? 0)) <= ALIKE);
    if (isAtRest && performance.now() - sinceMs >= IDLE_CLOSED_AFTER_MS) return now;
    before = now;
  }
  return before;
}

async function read(fleet: Fleet, etcdEndpoint: string): Promise<Readonly<Record<string, number>>> {
  const { fileMiB, usedMiB } = await readEtcdSize(etcdEndpoint);
  const counts: Record<string, number> = { "MiB of etcd's file": fileMiB, "MiB of etcd in use": usedMiB };
  for (const { part, residentMiB, descriptors } of await fleet.held()) {
    counts[`MiB resident of ${part}`] = residentMiB;
    counts[`${part}: descriptors`] = descriptors;
  }
  return counts;
}
