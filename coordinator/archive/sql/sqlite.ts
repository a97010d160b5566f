/**
 * SQLite for one coordinator: a file, held by this process alone, in a dedicated thread, because a statement may
 * wait for the disk or look at many rows. One transaction at a time; the others wait their turn.
 */
import { Worker } from "node:worker_threads";
import { ArchiveUnavailableError } from "../archive.ts";
import type { Dialect, Sql, SqlRow, SqlTransaction, SqlValue } from "./sql.ts";
import type { Order, Reply, SqliteFile } from "./sqlite-messages.ts";

/** A process that is stopping may hold the file for as long as it stops. */
const HELD_WAIT_MS = 5_000;
/** More than this wait only when the disk is stuck. */
const WAITING_MAX = 1_000;

const DIALECT: Dialect = { name: "sqlite", bytesType: "BLOB", textType: "TEXT" };

/** By default waits 5 s for another process to release the file. Rejects with a sentence when another process holds the file. */
export async function openSqlite(options: Pick<SqliteFile, "file"> & Partial<SqliteFile>): Promise<Sql> {
  const sql = new Sqlite({ heldWaitMs: HELD_WAIT_MS, ...options });
  await sql.open();
  return sql;
}

interface Pending {
  resolve(rows: readonly SqlRow[]): void;
  reject(error: Error): void;
}

class Sqlite implements Sql {
  readonly dialect = DIALECT;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  /** Ends when the transactions that came before have. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #ended: Error | null = null;

  constructor(options: SqliteFile) {
    // What this process was started with, such as --input-type, is not for the thread.
    const ownFlags = { execArgv: [] };
    this.#worker = new Worker(new URL("./sqlite-worker.ts", import.meta.url), { workerData: options, ...ownFlags });
    this.#worker.on("message", (reply: Reply) => this.#settle(reply));
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new ArchiveUnavailableError("the archive is closed")));
    // What waits for a reply keeps the process alive, not the thread.
    this.#worker.unref();
  }

  async open(): Promise<void> {
    await this.#order({ kind: "open" }).catch(async (error: unknown) => {
      await this.#worker.terminate();
      throw error;
    });
  }

  read<T>(work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    return this.#inTurn("BEGIN", work);
  }

  write<T>(work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    return this.#inTurn("BEGIN IMMEDIATE", work);
  }

  migrate<T>(work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    return this.#inTurn("BEGIN EXCLUSIVE", work);
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#order({ kind: "close" }).catch(() => undefined);
    await this.#worker.terminate();
  }

  #inTurn<T>(begin: string, work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    if (this.#waiting >= WAITING_MAX) {
      return Promise.reject(new ArchiveUnavailableError(`${WAITING_MAX} calls wait for the archive already`));
    }
    this.#waiting++;
    const turn = this.#last.then(async () => {
      try {
        return await this.#transaction(begin, work);
      } finally {
        this.#waiting--;
      }
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #transaction<T>(begin: string, work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    const query = (sql: string, values: readonly SqlValue[] = []) => this.#order({ kind: "query", sql, values });
    await query(begin);
    try {
      const result = await work({ query });
      await query("COMMIT");
      return result;
    } catch (error) {
      // Where this fails too, there is no transaction any more.
      await query("ROLLBACK").catch(() => undefined);
      throw error;
    }
  }

  #order(order: Order): Promise<readonly SqlRow[]> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    if (this.#pending.size === 0) this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...order });
    });
  }

  #settle({ id, rows, error }: Reply): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    if (error === undefined) pending?.resolve(rows);
    else if (error.unavailable) pending?.reject(new ArchiveUnavailableError(error.message));
    else pending?.reject(new Error(error.message));
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }
}
