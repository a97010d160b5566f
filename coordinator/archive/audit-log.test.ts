import { newId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import { create } from "../store/change.ts";
import { AuditLog } from "./audit-log.ts";
import { moveAuditEntries } from "./audit-mover.ts";
import { anAuditEntry } from "./testing/audit-entries.ts";
import { startMoving } from "./testing/moving.ts";

const NOW = 1_700_000_000_000;
const TEAM = newId(1);

test("shows each entry once, in order, at every step of its way to the archive", async () => {
  await using moving = await startMoving(NOW);
  const store = await moving.openStore();
  const log = new AuditLog(store.view, moving.archive);
  const entries = [1, 2, 3].map((age) => anAuditEntry({ teamId: TEAM, at: NOW - age * 1000 }));
  const other = anAuditEntry({ teamId: newId(2), at: NOW });
  for (const entry of [...entries, other]) await store.commit([create("audit-entries", entry)]);
  const shown = async () => (await log.list({ teamId: TEAM }, { limit: 10 })).entries;
  const seen: number[] = [];
  const see = async () => {
    expect(await shown()).toEqual(entries);
    seen.push(store.view.auditEntries.countOf(TEAM));
  };
  await see();
  const { archive } = moving;
  const steps = {
    store: {
      view: store.view,
      commit: async (...of: Parameters<typeof store.commit>) => {
        await see();
        return await store.commit(...of);
      },
    },
    archive: { putAudit: archive.putAudit.bind(archive) },
  };
  await moveAuditEntries(steps, () => true);
  await see();
  expect(seen).toEqual([3, 3, 0]);
  // Put once more by whoever leads next.
  await archive.putAudit(entries);
  await see();
  expect(await archive.listAudit({ teamId: TEAM }, { limit: 10 })).toEqual(entries);
});

test("is read page by page, wherever its entries are", async () => {
  await using moving = await startMoving(NOW);
  const store = await moving.openStore();
  const log = new AuditLog(store.view, moving.archive);
  const entries = Array.from({ length: 9 }, (_, age) => anAuditEntry({ teamId: TEAM, at: NOW - age * 1000 }));
  await moving.archive.putAudit(entries.slice(2));
  for (const entry of entries.slice(0, 4)) await store.commit([create("audit-entries", entry)]);
  const read: string[] = [];
  for (let hasMore = true; hasMore; ) {
    const last = read.at(-1);
    const page = await log.list({ teamId: TEAM }, { limit: 3, ...(last === undefined ? {} : { olderThan: last }) });
    read.push(...page.entries.map(({ id }) => id));
    ({ hasMore } = page);
  }
  expect(read).toEqual(entries.map(({ id }) => id));
});

test("keeps entries in the store while the archive is away", async () => {
  await using moving = await startMoving(NOW);
  const store = await moving.openStore();
  await store.commit([create("audit-entries", anAuditEntry({ teamId: TEAM, at: NOW }))]);
  const away = { putAudit: () => Promise.reject(new Error("away")) };
  await expect(moveAuditEntries({ store, archive: away }, () => true)).rejects.toThrow("away");
  expect(store.view.auditEntries.countOf(TEAM)).toBe(1);
});
