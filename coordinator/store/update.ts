/**
 * The one loop of compare-and-swap: read, decide, commit, and all of it again where another writer was faster. What was
 * decided from an old reading is never committed, since each change names the revision that it was decided from.
 *
 * Not for commits that are fenced otherwise: attempts (fleet/receive-report.ts), new tasks (http/tasks/accept-task.ts)
 * and the leader's own (scheduler/act/committer.ts).
 */

import type { Versioned } from "../domain/versioned.ts";
import { remove, replace } from "./change.ts";
import type { RecordKind } from "./keys.ts";
import type { Change, RecordTypes, Store } from "./store.ts";

export const TRIES_MAX = 20;

/** Nothing was written: at each try another writer was faster. */
export class TooManyConflictsError extends Error {
  override readonly name = "TooManyConflictsError";

  constructor(changes: readonly Change[]) {
    const records = changes.flatMap((change) => ("record" in change ? [`${change.record}/${change.id}`] : []));
    super(`gave up after ${TRIES_MAX} conflicts on ${records.join(", ")}`);
  }
}

/** With no changes nothing is committed, and the result holds as it is. */
export interface Decision<T> {
  readonly changes: readonly Change[];
  readonly result: T;
}

export interface Updated<T> {
  readonly result: T;
  /** False where there was nothing to change. */
  readonly isChanged: boolean;
}

export interface Update<Before, Decided> {
  /**
   * Whatever the decision depends on; once more after each conflict (`isAgain`), since the view may be behind. Throws
   * what the caller shall see where nothing may be changed.
   */
  readonly read: (isAgain: boolean) => Before | Promise<Before>;
  /** Without effects: it is made again from each reading. Throws likewise. */
  readonly decide: (before: Before) => Decided;
}

type Writable = Pick<Store, "commit">;

/** Throws TooManyConflictsError; errors of the store pass through. A decision is changes, or changes and a result. */
export async function update<Before>(
  store: Writable,
  given: Update<Before, readonly Change[]>,
): Promise<Pick<Updated<never>, "isChanged">>;
export async function update<Before, T>(store: Writable, given: Update<Before, Decision<T>>): Promise<Updated<T>>;
export async function update<Before>(
  store: Writable,
  { read, decide }: Update<Before, readonly Change[] | Decision<unknown>>,
): Promise<Updated<unknown>> {
  for (let tries = 1; ; tries++) {
    const decided = decide(await read(tries > 1));
    const { changes, result } = "changes" in decided ? decided : { changes: decided, result: undefined };
    if (changes.length === 0) return { result, isChanged: false };
    if ((await store.commit(changes)).kind === "committed") return { result, isChanged: true };
    if (tries === TRIES_MAX) throw new TooManyConflictsError(changes);
  }
}

type ReadOf<K extends RecordKind> = Versioned<RecordTypes[K]> | null;
/** Null only where what was read may be. */
type After<K extends RecordKind, Read> = RecordTypes[K] | Extract<Read, null>;

/** Of one record. `become` returns the same value for nothing to change; a record that is not there stays so. */
export function updateRecord<K extends RecordKind, Read extends ReadOf<K>>(
  store: Writable,
  kind: K,
  read: () => Promise<Read>,
  become: (value: RecordTypes[K]) => RecordTypes[K],
): Promise<Updated<After<K, Read>>> {
  return changeRecord(store, read, (before) => {
    const after = become(before.value);
    return { changes: after === before.value ? [] : [replace(kind, before, after)], result: after };
  });
}

/** Removes one record, if it is there. The result is what was removed. */
export function removeRecord<K extends RecordKind, Read extends ReadOf<K>>(
  store: Writable,
  kind: K,
  read: () => Promise<Read>,
): Promise<Updated<After<K, Read>>> {
  return changeRecord(store, read, (before) => ({ changes: [remove(kind, before)], result: before.value }));
}

function changeRecord<K extends RecordKind, Read extends ReadOf<K>>(
  store: Writable,
  read: () => Promise<Read>,
  decide: (before: Versioned<RecordTypes[K]>) => Decision<RecordTypes[K]>,
): Promise<Updated<After<K, Read>>> {
  return update<Read, After<K, Read>>(store, {
    read,
    decide: (before) => (before === null ? { changes: [], result: before as Extract<Read, null> } : decide(before)),
  });
}
