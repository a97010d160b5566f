/**
 * Whether a commit whose response was lost has been applied. Checked only once one of its compares no longer holds:
 * a revision never comes back, so from then on the lost request can no longer be applied either.
 */
import { decodeRecord } from "../codec.ts";
import { recordKey } from "../keys.ts";
import type { Entry, Kv } from "../kv.ts";
import type { PreparedCommit } from "./prepared-commit.ts";

/** Writers in a hurry overwrite a record a few times while its first writer waits; never this often. */
const STEPS_BACK_MAX = 100;

/**
 * The revision at which the commit was applied, or null. `current` is what its compared keys hold now.
 *
 * A record that others have overwritten since is followed back through its history, which the store keeps for
 * minutes and a commit waits for seconds. Where all that it wrote was removed since, nothing is known, and null is
 * the result. A commit that only removes counts as applied when what it removes is gone, by whomever.
 */
export async function findOwnWrite(
  kv: Kv,
  commit: PreparedCommit,
  current: ReadonlyMap<string, Entry | null>,
  now: number,
): Promise<number | null> {
  const written = commit.changes.filter((change) => change.kind === "write");
  for (const { record, id, from } of written) {
    const entry = current.get(recordKey(record, id)) ?? null;
    const revision = await traceBack(kv, entry, from, commit.op);
    if (revision !== null) return revision;
  }
  const removed = commit.changes.filter((change) => change.kind === "remove");
  const onlyRemoves = written.length === 0 && removed.length > 0;
  return onlyRemoves && removed.every(({ record, id }) => current.get(recordKey(record, id)) === null) ? now : null;
}

/** The revision at which `op` wrote the record after `from`, or null. */
async function traceBack(kv: Kv, newest: Entry | null, from: number, op: string): Promise<number | null> {
  let entry = newest;
  for (let step = 0; step < STEPS_BACK_MAX; step++) {
    if (entry === null || entry.revision <= from) return null;
    if (decodeRecord(entry.value).op === op) return entry.revision;
    const { entries } = await kv.read([entry.key], entry.revision - 1);
    entry = entries[0] ?? null;
  }
  throw new Error(`a record was overwritten more than ${STEPS_BACK_MAX} times within seconds`);
}
