import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { startPostgres } from "@elastic/test/cluster/postgres.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ArchiveUnavailableError } from "../archive.ts";
import { DATABASES, type Databases, openArchive } from "../testing/databases.ts";
import { anEndedTask } from "../testing/ended-tasks.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openPostgres } from "./postgres.ts";
import { tuples } from "./sql.ts";
import { openSqlArchive } from "./sql-archive.ts";
import { openSqlite } from "./sqlite.ts";

const log = createLog({ name: "test", level: "silent" });

describe.each(DATABASES)("a database in %s", (_, start) => {
  let databases: Databases;

  beforeAll(async () => {
    databases = await start();
  });
  afterAll(() => databases[Symbol.asyncDispose]());

  test("made by a newer program is refused, and left as it is", async () => {
    const database = databases.fresh();
    await (await openArchive(database)).close();
    const sql = await database.open();
    await sql.write(({ query }) => query("UPDATE archive SET version = 1000"));
    await expect(openSqlArchive(sql, newId(0))).rejects.toThrow(/the archive has schema 1000; .* use a newer one/);
    await sql.close();
  });

  test("lists tasks by reason that were archived before it was a column", async () => {
    const database = databases.fresh();
    const sql = await database.open();
    const [old, arriving, succeeded] = [
      anEndedTask({ phase: "failed" }),
      anEndedTask({ phase: "expired" }),
      anEndedTask(),
    ];
    await sql.write(async ({ query }) => {
      for (const statement of MIGRATIONS[0]?.(sql.dialect) ?? []) await query(statement);
      await query("CREATE TABLE archive (only_row BIGINT PRIMARY KEY, id TEXT, version BIGINT)");
      await query("INSERT INTO archive VALUES (1, ?, 1)", [newId(0)]);
      for (const { id, teamId, serviceId, phase, ...task } of [old, arriving, succeeded]) {
        const record = JSON.stringify({ id, teamId, serviceId, phase, ...task });
        await query(
          `INSERT INTO tasks (id, team_id, service_id, phase, expires_at, has_bytes, record) VALUES ${tuples(1, 7)}`,
          [id, teamId, serviceId, phase.kind, 1, 1, record],
        );
      }
      await query("INSERT INTO arriving VALUES (?, ?, ?, 'expired')", [
        arriving.id,
        arriving.teamId,
        arriving.serviceId,
      ]);
    });
    await sql.close();
    const archive = await openArchive(database);
    const page = { offset: 0, limit: 10 };
    const list = (createdFrom: number) => archive.list({ teamId: old.teamId, reason: "internal", createdFrom }, page);
    const both = [arriving.id, old.id].sort().reverse();
    expect(await list(0)).toEqual({ ids: both, total: 2, arriving: [arriving.id] });
    expect((await list(old.createdAt + 1)).total).toBe(0);
    await archive.settle([arriving.id]);
    expect(await archive.list({ teamId: old.teamId, reason: "internal" }, page)).toMatchObject({
      total: 2,
      arriving: [],
    });
    await archive.close();
  });

  test("keeps nothing of a transaction that failed", async () => {
    const sql = await databases.fresh().open();
    await sql.write(({ query }) => query("CREATE TABLE things (name TEXT)"));
    const failing = sql.write(async ({ query }) => {
      await query("INSERT INTO things (name) VALUES (?)", ["one"]);
      throw new Error("changed its mind");
    });
    await expect(failing).rejects.toThrow("changed its mind");
    const wrong = sql.write(async ({ query }) => {
      await query("INSERT INTO things (name) VALUES (?)", ["two"]);
      await query("INSERT INTO nothing VALUES (1)");
    });
    await expect(wrong).rejects.not.toThrow(ArchiveUnavailableError);
    expect(await sql.read(({ query }) => query("SELECT name FROM things"))).toEqual([]);
    await sql.close();
  });
});

test("coordinators that open an empty PostgreSQL together agree on the archive's id", async () => {
  await using postgres = await startPostgres();
  const url = postgres.newDatabase();
  const open = async () => await openSqlArchive(await openPostgres({ url, log }), newId(Date.now()));
  const archives = await Promise.all([open(), open(), open()]);
  expect(new Set(archives.map(({ id }) => id)).size).toBe(1);
  await Promise.all(archives.map((archive) => archive.close()));
});

test("an archive whose PostgreSQL went away is unavailable, and serves again when it is back", async () => {
  await using postgres = await startPostgres();
  const archive = await openSqlArchive(await openPostgres({ url: postgres.newDatabase(), log }), newId(0));
  await postgres.crash();
  await expect(archive.get(newId(0))).rejects.toThrow(ArchiveUnavailableError);
  await postgres.start();
  await expect.poll(() => archive.get(newId(0)).catch((error: Error) => error.message)).toBeNull();
  await archive.close();
});

test("a transaction during which PostgreSQL goes away fails, and the next one is served when it is back", async () => {
  await using postgres = await startPostgres();
  const sql = await openPostgres({ url: postgres.newDatabase(), log });
  const broken = sql.read(async ({ query }) => {
    await query("SELECT 1");
    await postgres.crash();
    await query("SELECT 1");
  });
  await expect(broken).rejects.toThrow(ArchiveUnavailableError);
  await postgres.start();
  const one = () => sql.read(({ query }) => query("SELECT 1 AS one"));
  await expect.poll(() => one().catch((error: Error) => error.message)).toEqual([{ one: 1 }]);
  await sql.close();
});

describe("an archive's file", () => {
  let dir: string;

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "archive-"));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  test("serves one coordinator: the error for a second says what to configure", async () => {
    const file = join(dir, "one.db");
    const held = await openSqlite({ file });
    await expect(openSqlite({ file, heldWaitMs: 0 })).rejects.toThrow(
      /in use by another coordinator.*ELASTIC_ARCHIVE=postgres:/,
    );
    await held.close();
    await (await openSqlite({ file })).close();
  });

  test("is nobody else's to read, nor are the files next to it", async () => {
    const file = join(dir, "private.db");
    const archive = await openSqlArchive(await openSqlite({ file }), newId(0));
    for (const path of [file, `${file}-wal`, `${file}-shm`])
      expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
    await archive.close();
  });

  test("is free as soon as the process that held it was killed", async () => {
    const file = join(dir, "killed.db");
    const holder = spawn(process.execPath, ["--input-type=module", "--eval", HOLDER, file], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await (await openSqlite({ file })).close();
  });
});

const HOLDER = `
  import { openSqlite } from "./sqlite.ts";
  await openSqlite({ file: process.argv[1] });
  process.stdout.write("held");
  setInterval(() => {}, 1000);
`;
