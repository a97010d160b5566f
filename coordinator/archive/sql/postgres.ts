/** PostgreSQL, which several coordinators may share. */
import type { Logger } from "@elastic/std/log.ts";
import { DatabaseError, Pool, type PoolClient, types } from "pg";
import { ArchiveUnavailableError } from "../archive.ts";
import type { Dialect, Sql, SqlRow, SqlTransaction, SqlValue } from "./sql.ts";

const CONNECTIONS_MAX = 8;
const CONNECT_WITHIN_MS = 5_000;
/** Longer than any statement of the archive should take. */
const STATEMENT_WITHIN_MS = 10_000;
/** Any number that no other program locks: "elastic" as bytes. */
const MIGRATION_LOCK = "28549237929242979";
/**
 * SQLSTATE classes of what passes: connection, authorization, transaction state and rollback, resources, operator
 * intervention, system errors. Of anything else a statement is at fault.
 */
const UNAVAILABLE_CLASSES = ["08", "25", "28", "3D", "40", "53", "55", "57", "58"];

const DIALECT: Dialect = { name: "postgres", bytesType: "BYTEA", textType: 'TEXT COLLATE "C"' };

export interface PostgresOptions {
  readonly url: string;
  readonly log: Logger;
}

export async function openPostgres(options: PostgresOptions): Promise<Sql> {
  const sql = new Postgres(options);
  try {
    await sql.read(async ({ query }) => await query("SELECT 1"));
    return sql;
  } catch (error) {
    await sql.close();
    throw error;
  }
}

class Postgres implements Sql {
  readonly dialect = DIALECT;
  readonly #pool: Pool;

  constructor({ url, log }: PostgresOptions) {
    this.#pool = new Pool({
      connectionString: url,
      max: CONNECTIONS_MAX,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      statement_timeout: STATEMENT_WITHIN_MS,
      query_timeout: 2 * STATEMENT_WITHIN_MS,
      application_name: "elastic-coordinator",
      types: { getTypeParser: parserOf },
    });
    this.#pool.on("error", (error) => log.warn({ err: error }, "an idle connection to the archive broke"));
  }

  read<T>(work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    return this.#transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work);
  }

  write<T>(work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    return this.#transaction("BEGIN; SET LOCAL synchronous_commit = on", work);
  }

  migrate<T>(work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    return this.#transaction(`BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`, work);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #transaction<T>(begin: string, work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw unavailable(error);
    });
    let broken: Error | undefined;
    const onBroken = (error: Error): void => {
      broken = error;
    };
    // The pool listens to idle connections only, and one that breaks with nobody listening ends the process.
    client.on("error", onBroken);
    const query = async (sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> => {
      try {
        return await runStatement(client, sql, values);
      } catch (error) {
        if (!(error instanceof DatabaseError)) broken = error as Error;
        throw isPassing(error) ? unavailable(error) : error;
      }
    };
    try {
      await query(begin);
      const result = await work({ query });
      await query("COMMIT");
      return result;
    } catch (error) {
      await query("ROLLBACK").catch(() => undefined);
      throw error;
    } finally {
      client.off("error", onBroken);
      // A connection that broke is not used again.
      client.release(broken);
    }
  }
}

async function runStatement(client: PoolClient, sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
  let count = 0;
  const text = sql.replace(/\?/g, () => `$${++count}`);
  const { rows } = await client.query<SqlRow>(text, [...values]);
  return rows ?? [];
}

/** What is no error of the database is one of the way to it. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return UNAVAILABLE_CLASSES.includes(error.code?.slice(0, 2) ?? "");
}

function unavailable(error: unknown): ArchiveUnavailableError {
  const message = error instanceof Error ? error.message : String(error);
  return new ArchiveUnavailableError(`the archive's database: ${message}`, { cause: error });
}

/** 64-bit integers as numbers: all that is stored here are counts and times. */
function parserOf(oid: number, format?: "text" | "binary") {
  if (oid === types.builtins.INT8) return Number;
  return types.getTypeParser(oid, format as "text");
}
