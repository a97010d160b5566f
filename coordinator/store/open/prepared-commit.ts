/** A commit as keys and bytes, ready to share a transaction with others. */
import { encodeRecord } from "../codec.ts";
import { bytesKey, LEADER_KEY, recordKey } from "../keys.ts";
import type { Compare, Put } from "../kv.ts";
import type { Change, LeaderGuard } from "../store.ts";

export interface PreparedCommit {
  /** Stands in every record the commit writes. */
  readonly op: string;
  readonly changes: readonly Change[];
  readonly compares: readonly Compare[];
  readonly puts: readonly Put[];
  readonly deletes: readonly string[];
  /** About what it adds to a request. */
  readonly bytes: number;
}

/** What a compare and an operation take on the wire in addition to key and value, roughly. */
const OVERHEAD_BYTES = 32;
const FEW_KEYS = 8;

export function prepareCommit(op: string, changes: readonly Change[], guard?: LeaderGuard): PreparedCommit {
  const compares: Compare[] = [];
  const puts: Put[] = [];
  const deletes: string[] = [];
  for (const change of changes) {
    if (change.kind === "bytes") {
      puts.push({ key: bytesKey(change.of, change.taskId), value: change.data });
      continue;
    }
    if (change.kind === "remove-bytes") {
      deletes.push(bytesKey(change.of, change.taskId));
      continue;
    }
    const key = recordKey(change.record, change.id);
    compares.push({ key, revision: change.from });
    if (change.kind === "write") puts.push({ key, value: encodeRecord(key, op, change.value) });
    if (change.kind === "remove") deletes.push(key);
  }
  refuseRepeatedKeys(compares, puts, deletes);
  if (guard !== undefined) compares.push({ key: LEADER_KEY, revision: guard.epoch });
  return { op, changes, compares, puts, deletes, bytes: sizeOf(compares, puts, deletes) };
}

function refuseRepeatedKeys(compares: readonly Compare[], puts: readonly Put[], deletes: readonly string[]): void {
  if (compares.length === 0) throw new Error("a commit compares at least one record");
  const isRepeated = hasRepeated(compares.map(keyOf)) || hasRepeated([...deletes, ...puts.map(keyOf)]);
  if (isRepeated) throw new Error(`a commit names a record twice: ${compares.map(keyOf).join(", ")}`);
}

function keyOf({ key }: { readonly key: string }): string {
  return key;
}

/** Most commits have three keys or four, for which a set costs more than to look at all pairs. */
function hasRepeated(keys: readonly string[]): boolean {
  if (keys.length > FEW_KEYS) return new Set(keys).size < keys.length;
  return keys.some((key, at) => keys.includes(key, at + 1));
}

function sizeOf(compares: readonly Compare[], puts: readonly Put[], deletes: readonly string[]): number {
  let bytes = 0;
  // A compared key is also named in the branch that returns what it holds.
  for (const { key } of compares) bytes += 2 * (key.length + OVERHEAD_BYTES);
  for (const { key, value } of puts) bytes += key.length + value.length + OVERHEAD_BYTES;
  for (const key of deletes) bytes += key.length + OVERHEAD_BYTES;
  return bytes;
}
