/** The thread of sqlite.ts: opens the file, runs one statement after the other, and responds to each. */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { SqlRow } from "./sql.ts";
import type { Order, Reply, SqliteFile } from "./sqlite-messages.ts";

/** Statements with lists differ by their length; those in use are few. */
const STATEMENTS_MAX = 200;
/** SQLite's own numbers for: busy, locked, read-only, I/O error, full, cannot open. */
const UNAVAILABLE_CODES = [5, 6, 8, 10, 13, 14];

const { file, heldWaitMs } = workerData as SqliteFile;
const statements = new Map<string, StatementSync>();
let holding: DatabaseSync | null = null;
let database: DatabaseSync | null = null;

parentPort?.on("message", (order: Order & { readonly id: number }) => {
  const { id } = order;
  try {
    parentPort?.postMessage({ id, rows: obey(order) } satisfies Reply);
  } catch (error) {
    parentPort?.postMessage({ id, rows: [], error: describe(error) } satisfies Reply);
  }
});

function obey(order: Order): readonly SqlRow[] {
  if (order.kind === "open") open();
  else if (order.kind === "close") close();
  else return prepared(order.sql).all(...order.values) as SqlRow[];
  return [];
}

function open(): void {
  if (file !== ":memory:") {
    mkdirSync(dirname(file), { recursive: true });
    // Other users of the machine have no business in what provers were given. What SQLite adds next to it is as it is.
    closeSync(openSync(file, "a", 0o600));
    holding = hold(`${file}.held`);
  }
  database = new DatabaseSync(file);
  // Every commit reaches the disk: what was archived is removed from the store.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000");
}

/** A lock that ends with the process, however it ends. It does not exclude readers of the archive's file. */
function hold(path: string): DatabaseSync {
  const held = new DatabaseSync(path);
  try {
    held.exec(`PRAGMA busy_timeout = ${heldWaitMs}; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE`);
    return held;
  } catch (error) {
    held.close();
    throw new Error(
      `the archive ${file} is in use by another coordinator, and a file serves one: for several, configure PostgreSQL ` +
        "(ELASTIC_ARCHIVE=postgres://user@host/database)",
      { cause: error },
    );
  }
}

function close(): void {
  statements.clear();
  database?.close();
  holding?.close();
}

function prepared(sql: string): StatementSync {
  if (database === null) throw new Error("the archive is not open");
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = database.prepare(sql);
  statements.set(sql, statement);
  for (const oldest of statements.keys()) {
    if (statements.size <= STATEMENTS_MAX) break;
    statements.delete(oldest);
  }
  return statement;
}

function describe(error: unknown): { readonly message: string; readonly unavailable: boolean } {
  const { message, errcode } = error as { readonly message: string; readonly errcode?: number };
  // The low byte; the rest says more of the same.
  return { message, unavailable: errcode !== undefined && UNAVAILABLE_CODES.includes(errcode & 0xff) };
}
