import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { startPostgres } from "@elastic/test/cluster/postgres.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Memory } from "../../store/memory/memory.ts";
import { memoryKv } from "../../store/memory/memory-kv.ts";
import { describeLocation, parseArchiveLocation } from "../location.ts";
import { openArchive } from "./open-archive.ts";

const log = createLog({ name: "test", level: "silent" });
let dir: string;
let memory: Memory;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "archive-"));
  memory = new Memory();
});
afterEach(() => rmSync(dir, { recursive: true }));

function open(text: string) {
  const location = parseArchiveLocation(text);
  if (location === null) throw new Error(`not a location: ${text}`);
  return openArchive({ location, kv: memoryKv(memory), clock: systemClock, log });
}

test("a store keeps the archive it began with; a second coordinator's own file is refused, and says what to do", async () => {
  const first = await open(`sqlite:${join(dir, "one.db")}`);
  const second = open(`sqlite:${join(dir, "two.db")}`);
  await expect(second).rejects.toThrow(/history is in another archive \(sqlite\), not in sqlite:.*two\.db/);
  await expect(second).rejects.toThrow(/for several, configure PostgreSQL \(ELASTIC_ARCHIVE=postgres:/);
  await first.close();
  const again = await open(`sqlite:${join(dir, "one.db")}`);
  expect(again.id).toBe(first.id);
  await again.close();
});

test("of coordinators that start together over empty files one gets the store", async () => {
  const starts = await Promise.allSettled(["one", "two", "three"].map((name) => open(`sqlite:${join(dir, name)}`)));
  const opened = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  expect(opened).toHaveLength(1);
  await opened[0]?.close();
});

test("several coordinators share one PostgreSQL, and another database is refused", async () => {
  await using postgres = await startPostgres();
  const url = postgres.newDatabase();
  const archives = await Promise.all([open(url), open(url)]);
  await expect(open(postgres.newDatabase())).rejects.toThrow(
    /another archive \(postgres\).*run elastic-coordinator use-archive/,
  );
  await Promise.all(archives.map((archive) => archive.close()));
});

test("a location is read, and shown without its password", () => {
  expect(parseArchiveLocation("sqlite:/a/b.db")).toEqual({ kind: "sqlite", file: "/a/b.db" });
  for (const wrong of ["", "sqlite:", "/a/b.db", "mysql://host/db", "postgres:", "postgres://host:port/db"]) {
    expect([wrong, parseArchiveLocation(wrong)]).toEqual([wrong, null]);
  }
  const location = parseArchiveLocation("postgresql://me:secret@db.example:5433/history");
  if (location === null) throw new Error("not read");
  expect(describeLocation(location)).toBe("postgres://db.example:5433/history");
});
