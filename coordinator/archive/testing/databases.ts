/** Both databases that an archive stands on: what every test of the archive runs over. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { type Postgres, startPostgres } from "@elastic/test/cluster/postgres.ts";
import type { Archive } from "../archive.ts";
import { openPostgres } from "../sql/postgres.ts";
import type { Sql } from "../sql/sql.ts";
import { openSqlArchive } from "../sql/sql-archive.ts";
import { openSqlite } from "../sql/sqlite.ts";

const log = createLog({ name: "test", level: "silent" });

/** One empty database, which may be opened again after it was closed. */
export interface Database {
  open(): Promise<Sql>;
}

export interface Databases extends AsyncDisposable {
  fresh(): Database;
}

export const DATABASES: readonly (readonly [name: string, start: () => Promise<Databases>])[] = [
  ["sqlite", async () => sqliteDatabases()],
  ["postgres", async () => postgresDatabases(await startPostgres())],
];

export async function openArchive(database: Database): Promise<Archive> {
  return await openSqlArchive(await database.open(), newId(Date.now()));
}

function sqliteDatabases(): Databases {
  const dir = mkdtempSync(join(tmpdir(), "archive-"));
  let count = 0;
  return {
    fresh() {
      const file = join(dir, `${++count}.db`);
      return { open: () => openSqlite({ file }) };
    },
    [Symbol.asyncDispose]: async () => rmSync(dir, { recursive: true }),
  };
}

function postgresDatabases(postgres: Postgres): Databases {
  return {
    fresh() {
      const url = postgres.newDatabase();
      return { open: () => openPostgres({ url, log }) };
    },
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}
