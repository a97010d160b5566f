/**
 * What stands in the store from the beginning of a restore to its end. With it no coordinator starts, and a restore that was
 * killed is repeated. Only whoever holds the lease writes, so that there is one restore at a time.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { pause } from "@elastic/std/pause.ts";
import { RESTORE_KEY, RESTORE_LEASE_KEY } from "../../store/keys.ts";
import type { Compare, Entry, Kv, Lease } from "../../store/kv.ts";
import { BackupError } from "../file/backup-error.ts";

export interface RestoreMark {
  /** Of the backup's lines: which file it is. */
  readonly digest: string;
  readonly name: string;
  readonly storeId: string;
  readonly epoch: number;
  readonly startedAt: Instant;
}

const LEASE_MS = 5_000;
/** A killed restore holds the lease for so long at most. */
const WAIT_MS = 8_000;
const CHECK_EVERY_MS = 250;
const NEVER = new AbortController().signal;

export interface RestoreTurn {
  /** What every write compares. */
  readonly compare: Compare;
  end(): Promise<void>;
}

/** Rejects with BackupError while another restore runs. */
export async function takeTurn(kv: Pick<Kv, "lease" | "txn" | "read">, waitMs = WAIT_MS): Promise<RestoreTurn> {
  const lease = await kv.lease(LEASE_MS);
  for (let waitedMs = 0; ; waitedMs += CHECK_EVERY_MS) {
    const outcome = await kv.txn({
      compares: [{ key: RESTORE_LEASE_KEY, revision: 0 }],
      puts: [{ key: RESTORE_LEASE_KEY, value: Buffer.from("{}"), leaseId: lease.id }],
      deletes: [],
    });
    if (outcome.applied) return turnOf(lease, outcome.revision);
    if (waitedMs >= waitMs) break;
    await pause(CHECK_EVERY_MS, NEVER);
  }
  await lease.revoke();
  throw new BackupError(
    "nothing was changed: another restore runs on this etcd. Wait for its end, or stop it and wait 10 s",
  );
}

function turnOf(lease: Lease, revision: number): RestoreTurn {
  return { compare: { key: RESTORE_LEASE_KEY, revision }, end: () => lease.revoke() };
}

/** The target as it was before the turn was taken, which is a write as well. */
export function withoutTurn<T extends { readonly revision: number }>(found: T, turn: RestoreTurn | null): T {
  return turn !== null && found.revision === turn.compare.revision ? { ...found, revision: found.revision - 1 } : found;
}

export function parseMark(entry: Pick<Entry, "value"> | null | undefined): RestoreMark | null {
  return entry === null || entry === undefined ? null : (JSON.parse(entry.value.toString("utf8")) as RestoreMark);
}

/** Returns its revision. */
export async function writeMark(kv: Pick<Kv, "txn">, turn: RestoreTurn, mark: RestoreMark): Promise<number> {
  const outcome = await kv.txn({
    compares: [turn.compare],
    puts: [{ key: RESTORE_KEY, value: Buffer.from(JSON.stringify(mark)) }],
    deletes: [],
  });
  if (!outcome.applied) throw turnLost();
  return outcome.revision;
}

export function turnLost(): BackupError {
  return new BackupError(
    "the restore was interrupted for longer than 5 s, and another one may have begun: repeat the command",
  );
}
