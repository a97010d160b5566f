/**
 * What the archive needs of a database, nothing else: statements that SQLite and PostgreSQL both understand, with `?`
 * for their parameters. Implemented by sqlite.ts and postgres.ts.
 */

export type SqlValue = string | number | Uint8Array | null;
export type SqlRow = Readonly<Record<string, unknown>>;

/** How the two spell what they do not share. */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  readonly bytesType: string;
  /** Text that sorts by its bytes. */
  readonly textType: string;
}

export interface SqlTransaction {
  query(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

export interface Sql {
  readonly dialect: Dialect;
  /** Everything read in it is of one moment. */
  read<T>(work: (transaction: SqlTransaction) => Promise<T>): Promise<T>;
  /** Durable when it resolves; all of it or nothing. */
  write<T>(work: (transaction: SqlTransaction) => Promise<T>): Promise<T>;
  /** The same, while nobody else migrates. */
  migrate<T>(work: (transaction: SqlTransaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** `(?, ?), (?, ?)` */
export function tuples(rows: number, columns: number): string {
  const tuple = `(${Array.from({ length: columns }, () => "?").join(", ")})`;
  return Array.from({ length: rows }, () => tuple).join(", ");
}

export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new Error(`column ${column} holds no text`);
  return value;
}

export function numberOf(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new Error(`column ${column} holds no number`);
  return value;
}

/** Null for null. */
export function bytesOf(row: SqlRow, column: string): Buffer | null {
  const value = row[column];
  if (value === null) return null;
  if (!(value instanceof Uint8Array)) throw new Error(`column ${column} holds no bytes`);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
