import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anAuditEntry } from "../testing/audit-entries.ts";
import { anEndedTask, archived } from "../testing/ended-tasks.ts";
import { openDatabase } from "./open-archive.ts";
import { openArchiveReader } from "./read-archive.ts";
import { openSqlArchive } from "./sql-archive.ts";

const log = createLog({ name: "test", level: "silent" });
let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "read-archive-"));
});
afterAll(() => rmSync(dir, { recursive: true }));

test("reads a file while a coordinator has it open", async () => {
  const location = { kind: "sqlite", file: join(dir, "archive.db") } as const;
  const archive = await openSqlArchive(await openDatabase(location, log), "the-archive");
  const entry = anAuditEntry();
  const task = anEndedTask();
  await archive.putAudit([entry]);
  await archive.put([archived(task)]);
  const reader = await openArchiveReader(location, log);
  expect([reader.id, await reader.newestAuditId()]).toEqual(["the-archive", entry.id]);
  expect(await reader.tasksOf([task.id, newId(9)])).toEqual(new Set([task.id]));
  await reader.close();
  await archive.close();
});

test("knows the highest epoch that a restore has given a store", async () => {
  const location = { kind: "sqlite", file: join(dir, "restored.db") } as const;
  const archive = await openSqlArchive(await openDatabase(location, log), "the-archive");
  const restore = (id: string, epoch: number) =>
    anAuditEntry({ teamId: "", action: "restore", object: { kind: "store", id, name: "b" }, after: { epoch } });
  await archive.putAudit([restore("one", 2), restore("one", 4), restore("one", 3), restore("two", 9), anAuditEntry()]);
  const reader = await openArchiveReader(location, log);
  expect(await reader.restoredEpoch("one")).toBe(4);
  expect(await reader.restoredEpoch("two")).toBe(9);
  expect(await reader.restoredEpoch("three")).toBe(0);
  await reader.close();
  await archive.close();
});

test("creates nothing where there is no archive", async () => {
  const before = readdirSync(dir);
  const missing = openArchiveReader({ kind: "sqlite", file: join(dir, "none.db") }, log);
  await expect(missing).rejects.toThrow(/none\.db does not exist/);
  writeFileSync(join(dir, "other.db"), "no database at all, but text that is long enough".repeat(10));
  await expect(openArchiveReader({ kind: "sqlite", file: join(dir, "other.db") }, log)).rejects.toThrow(/other\.db/);
  expect(readdirSync(dir).sort()).toEqual([...before, "other.db"].sort());
});
