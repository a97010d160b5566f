/** What a first try goes on with when the browser comes back from a source host. Pure. */
import type { LinkSearch } from "../sources/link-search.ts";
import type { PendingTry } from "./pending-try.ts";

export interface ResumedTry {
  readonly name: string;
  /** Null where the account was not connected. */
  readonly connectionId: string | null;
  /** Why it was not; null where it was. */
  readonly error: { readonly code: string; readonly host: string | undefined } | null;
}

/** Null where the address is of no way back, or the tab began no first try. */
export function resumedTry(search: LinkSearch, pending: PendingTry | null): ResumedTry | null {
  const { connection_id: connectionId, source_error: code, source_host: host } = search;
  if (pending === null) return null;
  if (code !== undefined) return { name: pending.name, connectionId: null, error: { code, host } };
  return connectionId === undefined ? null : { name: pending.name, connectionId, error: null };
}
