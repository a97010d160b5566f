/**
 * Whether a commit whose answer was lost has been applied. Asked only once one of its compares no longer holds:
 * a revision never comes back, so from then on the lost request can no longer be applied either.
 */
import { decodeRecord } from "./codec.ts";
import type { Entry, Kv } from "./kv.ts";
import type { PreparedCommit } from "./prepared-commit.ts";

/** Writers in a hurry overwrite a record a few times while its first writer waits; never this often. */
const STEPS_BACK_MAX = 100;

/**
 * The revision at which the commit was applied, or null. `current` is what its compared keys hold now.
 *
 * A record that others have overwritten since is followed back through its history. A commit that only removes
 * counts as applied when what it removes is gone: nobody can tell by whom.
 */
export async function findOwnWrite(
  kv: Kv,
  commit: PreparedCommit,
  current: ReadonlyMap<string, Entry | null>,
  now: number,
): Promise<number | null> {
  const written = commit.changes.find((change) => change.kind === "write");
  if (written === undefined) {
    const gone = commit.deletes.length > 0 && commit.deletes.every((key) => current.get(key) === null);
    return gone ? now : null;
  }
  const key = commit.puts.find((put) => current.has(put.key))?.key;
  if (key === undefined) throw new Error("a commit compares each record that it writes");
  let entry = current.get(key) ?? null;
  for (let step = 0; step < STEPS_BACK_MAX; step++) {
    if (entry === null || entry.revision <= written.from) return null;
    if (decodeRecord(entry.value).op === commit.op) return entry.revision;
    const before = await kv.read([key], entry.revision - 1);
    entry = before.entries[0] ?? null;
  }
  throw new Error(`${key} was overwritten more than ${STEPS_BACK_MAX} times`);
}
