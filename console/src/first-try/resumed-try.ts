/** What a first try resumes with when the browser comes back from a source host, or when the page is loaded again after that. Pure. */
import type { LinkSearch } from "../sources/link-search.ts";
import type { PendingTry } from "./pending-try.ts";

export interface ResumedTry {
  readonly name: string;
  /** Null where the account was not connected. */
  readonly connectionId: string | null;
  /** Whether it resumes without a click: only when the browser comes back. */
  readonly isAutomatic: boolean;
  /** Why the account was not connected; null where it was. */
  readonly error: { readonly code: string; readonly host: string | undefined } | null;
}

/** Null where the tab began no first try, or did not come back yet. */
export function resumedTry(search: LinkSearch, pending: PendingTry | null): ResumedTry | null {
  const { connection_id: connectionId, source_error: code, source_host: host } = search;
  if (pending === null) return null;
  const { name } = pending;
  if (code !== undefined) return { name, connectionId: null, isAutomatic: false, error: { code, host } };
  if (connectionId !== undefined) return { name, connectionId, isAutomatic: true, error: null };
  // Some of it may be done already: the user decides whether it resumes.
  if (pending.connectionId === null) return null;
  return { name, connectionId: pending.connectionId, isAutomatic: false, error: null };
}
