/**
 * A first try that left the console for a source host and resumes when the browser comes back. It stays until it is done, so that
 * a page that is loaded again meanwhile offers it again. It is in the tab that began it,
 * and not in the address: else a link from anybody could create a repository in the account of whoever follows it.
 */

export interface PendingTry {
  /** Of the service and the repository. */
  readonly name: string;
  readonly teamId: string;
  /** Milliseconds since the epoch. */
  readonly leftAt: number;
  /** With which the browser came back already; null before. */
  readonly connectionId: string | null;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const STORED_AS = "elastic.first-try";
/** The way back has ten minutes; a little is left for what comes after. */
const LIFE_MS = 15 * 60_000;

export function storePending(pending: PendingTry, store: Store): void {
  store.setItem(STORED_AS, JSON.stringify(pending));
}

/** Null for none, one of another team, and one that is too old. */
export function readPending(teamId: string, nowMs: number, store: Store): PendingTry | null {
  const pending = parsed(store.getItem(STORED_AS));
  if (pending === null || pending.teamId !== teamId || nowMs - pending.leftAt > LIFE_MS) return null;
  return pending;
}

/** It is done, or was abandoned. */
export function forgetPending(store: Store): void {
  store.removeItem(STORED_AS);
}

function parsed(text: string | null): PendingTry | null {
  try {
    const { name, teamId, leftAt, connectionId } = JSON.parse(text ?? "null") ?? {};
    const isComplete = typeof name === "string" && typeof teamId === "string" && typeof leftAt === "number";
    return isComplete
      ? { name, teamId, leftAt, connectionId: typeof connectionId === "string" ? connectionId : null }
      : null;
  } catch {
    return null;
  }
}
