import { afterEach, beforeEach, expect, test } from "vitest";
import type { TaskName } from "./archive.ts";
import { removeExpired } from "./remove-expired.ts";
import { anAuditEntry } from "./testing/audit-entries.ts";
import { anEndedTask, archived } from "./testing/ended-tasks.ts";
import { type Moving, startMoving } from "./testing/moving.ts";

const NOW = 1_700_000_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TEAM = "0".repeat(31).concat("a");

let moving: Moving;
beforeEach(async () => {
  moving = await startMoving(NOW);
});
afterEach(() => moving[Symbol.asyncDispose]());

const metrics = { expired: () => undefined, forgotten: () => undefined };

async function removeAt(now: number, logs: { remove(task: TaskName): Promise<void> }): Promise<void> {
  moving.clock.nowMs = now;
  const { archive, clock } = moving;
  await removeExpired({ archive, logs, clock, metrics, auditRetentionMs: 10 * DAY_MS }, () => true);
}

test("logs and bytes go when the retention of their service is over, records 30 days later, usage after 400", async () => {
  const tasks = [HOUR_MS, undefined, 90 * DAY_MS].map((retentionMs) =>
    anEndedTask({ createdAt: NOW - 2_000, ...(retentionMs === undefined ? {} : { retentionMs }) }),
  );
  await moving.archive.put(tasks.map(archived));
  await moving.archive.settle(tasks.map(({ id }) => id));
  const removed: string[] = [];
  const logs = { remove: async ({ taskId }: TaskName) => void removed.push(taskId) };
  const withBytes = async () => {
    const found = await moving.archive.getMany(tasks.map(({ id }) => id));
    return found.filter(({ input }) => input !== null).length;
  };
  const total = async () => (await moving.archive.list({ teamId: TEAM }, { offset: 0, limit: 0 })).total;
  const used = async () => (await moving.archive.usage(TEAM, 0, 2 ** 40)).settled.services.size;

  await removeAt(NOW + HOUR_MS, logs);
  expect([await withBytes(), removed.length]).toEqual([3, 0]);
  await removeAt(NOW + HOUR_MS + 60_000, logs);
  expect([await withBytes(), removed.length]).toEqual([2, 1]);
  await removeAt(NOW + 7 * DAY_MS + 60_000, logs);
  expect([await withBytes(), removed.length, await total()]).toEqual([1, 2, 3]);
  await removeAt(NOW + 30 * DAY_MS + HOUR_MS, logs);
  expect([await withBytes(), await total()]).toEqual([1, 2]);
  await removeAt(NOW + 120 * DAY_MS, logs);
  expect([await withBytes(), removed, await total()]).toEqual([0, tasks.map(({ id }) => id), 0]);
  expect(await used()).toBe(1);
  await removeAt(NOW + 401 * DAY_MS, logs);
  expect(await used()).toBe(0);
});

test("logs that cannot be removed are tried again, with their task's bytes", async () => {
  const task = anEndedTask({ createdAt: NOW });
  await moving.archive.put([archived(task)]);
  await moving.archive.settle([task.id]);
  let tries = 0;
  const logs = {
    remove: async () => {
      if (++tries === 1) throw new Error("the disk is away");
    },
  };
  await expect(removeAt(NOW + 8 * DAY_MS, logs)).rejects.toThrow("the disk is away");
  expect((await moving.archive.get(task.id))?.input).not.toBeNull();
  await removeAt(NOW + 8 * DAY_MS, logs);
  expect([tries, (await moving.archive.get(task.id))?.input]).toEqual([2, null]);
});

test("thousands that expire together are all removed", async () => {
  const tasks = Array.from({ length: 1_200 }, () => anEndedTask({ createdAt: NOW }));
  for (let from = 0; from < tasks.length; from += 400) {
    const some = tasks.slice(from, from + 400);
    await moving.archive.put(some.map(archived));
    await moving.archive.settle(some.map(({ id }) => id));
  }
  await removeAt(NOW + 60 * DAY_MS, { remove: async () => undefined });
  expect((await moving.archive.list({ teamId: TEAM }, { offset: 0, limit: 10 })).total).toBe(0);
});

test("entries of the audit log go after the days that are set", async () => {
  const ages = [0, 9, 11, 400].map((days) => anAuditEntry({ at: NOW - days * DAY_MS }));
  await moving.archive.putAudit(ages);
  await removeAt(NOW, { remove: async () => undefined });
  const [first] = ages;
  const left = await moving.archive.listAudit({ teamId: first?.teamId ?? "" }, { limit: 10 });
  expect(left).toEqual(ages.slice(0, 2));
});
