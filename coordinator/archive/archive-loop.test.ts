import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import { ArchiveUnavailableError } from "./archive.ts";
import { startArchiving } from "./archive-loop.ts";
import { anEndedTask } from "./testing/ended-tasks.ts";
import { addTask, startMoving } from "./testing/moving.ts";

const log = createLog({ name: "test", level: "silent" });
const HOUR_MS = 3_600_000;

test("tasks move while this coordinator leads, and again once the archive is back", { timeout: 60_000 }, async () => {
  await using moving = await startMoving(Date.now());
  const memory = new Memory();
  const kv = memoryKv(memory);
  const store = await openStore({ kv, clock: memory.clock, log });
  let isLeading = false;
  let puts = 0;
  let isAway = true;
  const { archive } = moving;
  const loop = startArchiving({
    kv,
    store,
    archive: {
      ...bound(archive),
      put: async (tasks) => {
        puts++;
        if (isAway) throw new ArchiveUnavailableError("away");
        await archive.put(tasks);
      },
    },
    logs: { remove: async () => undefined },
    limits: { afterMs: 600_000, endedMax: 100 },
    auditRetentionMs: HOUR_MS,
    clock: { now: () => Date.now(), monotonicMs: () => performance.now() },
    log,
    metrics: createMetrics(),
    isLeading: () => isLeading,
    everyMs: 10,
  });
  await addTask(store, anEndedTask({ createdAt: Date.now() - HOUR_MS }));
  expect([puts, store.view.tasks.endedEntries.size]).toEqual([0, 1]);
  isLeading = true;
  await expect.poll(() => puts).toBeGreaterThan(1);
  expect(store.view.tasks.endedEntries.size).toBe(1);
  isAway = false;
  await expect.poll(() => store.view.tasks.endedEntries.size).toBe(0);
  isLeading = false;
  const before = puts;
  await addTask(store, anEndedTask({ createdAt: Date.now() - HOUR_MS }));
  await loop.stop();
  expect([puts, store.view.tasks.endedEntries.size]).toEqual([before, 1]);
  await store.close();
  await kv.close();
});

function bound(archive: Awaited<ReturnType<typeof startMoving>>["archive"]) {
  return {
    arriving: archive.arriving.bind(archive),
    settle: archive.settle.bind(archive),
    expired: archive.expired.bind(archive),
    removeBytes: archive.removeBytes.bind(archive),
    removeRecords: archive.removeRecords.bind(archive),
    removeUsage: archive.removeUsage.bind(archive),
    putAudit: archive.putAudit.bind(archive),
    removeAudit: archive.removeAudit.bind(archive),
  };
}
