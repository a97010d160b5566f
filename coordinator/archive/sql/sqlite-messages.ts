/** What sqlite.ts and its thread send each other. */
import type { SqlRow, SqlValue } from "./sql.ts";

/** What the thread is started with. */
export interface SqliteFile {
  /** `:memory:` for tests. */
  readonly file: string;
  /** How long to wait for another process to release it. */
  readonly heldWaitMs: number;
}

export type Order =
  | { readonly kind: "open" }
  | { readonly kind: "query"; readonly sql: string; readonly values: readonly SqlValue[] }
  | { readonly kind: "close" };

export interface Reply {
  readonly id: number;
  readonly rows: readonly SqlRow[];
  readonly error?: { readonly message: string; readonly unavailable: boolean };
}
