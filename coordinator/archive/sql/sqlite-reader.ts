/** A file of SQLite that another process may be writing: read only, and in this thread, for commands that end soon. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { ArchiveUnavailableError } from "../archive.ts";
import type { Sql, SqlRow } from "./sql.ts";

export function openSqliteReader(file: string): Pick<Sql, "read" | "close"> {
  if (!existsSync(file)) throw new ArchiveUnavailableError(`${file} does not exist`);
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec("PRAGMA busy_timeout = 5000");
  return {
    read: async (work) => {
      database.exec("BEGIN");
      try {
        return await work({ query: async (sql, values = []) => database.prepare(sql).all(...values) as SqlRow[] });
      } finally {
        database.exec("ROLLBACK");
      }
    },
    close: async () => database.close(),
  };
}
