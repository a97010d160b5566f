/**
 * Writes a verified backup into the store. Until the last transaction, which writes the identity with the new epoch and removes
 * the mark, no coordinator starts on it; a restore that is killed is repeated from its beginning.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { type AuditEntry, OF_NO_TEAM } from "../../domain/audit-entry.ts";
import { encodeRecord } from "../../store/codec.ts";
import { livingProcesses } from "../../store/held-keys.ts";
import { type StoreMeta, schemaFieldsOf } from "../../store/identity/meta.ts";
import { META_KEY, RESTORE_KEY, RESTORE_LEASE_KEY, recordKey } from "../../store/keys.ts";
import type { Kv, Put } from "../../store/kv.ts";
import { readPages } from "../../store/read-pages.ts";
import { BackupError } from "../file/backup-error.ts";
import type { BackupHeader } from "../file/header.ts";
import { type RestoreTurn, turnLost, writeMark } from "./restore-mark.ts";
import { type BatchOptions, newCounts, type RestoreCounts, restoredBatches } from "./restored-batches.ts";

/** Removed by one transaction: etcd takes 128 operations. */
const BATCH_ENTRIES = 100;
/** Transactions under way. */
const AT_ONCE = 8;
export interface RestoreOptions extends BatchOptions {
  readonly kv: Pick<Kv, "read" | "range" | "txn">;
  readonly turn: RestoreTurn;
  readonly header: BackupHeader;
  readonly epoch: number;
  /** Whether it repeats a restore that did not end: then the mark stays whatever happens. */
  readonly isRepeated: boolean;
}

export async function restoreStore(options: RestoreOptions): Promise<RestoreCounts> {
  const { kv, turn, source, header, trailer, epoch, rules } = options;
  const { name } = source;
  const mark = { digest: trailer.sha256, name, storeId: header.storeId, epoch, startedAt: rules.now };
  const markRevision = await writeMark(kv, turn, mark);
  await refuseLiving(options, markRevision);
  await removeAll(options);
  const counts = newCounts();
  let writes: Promise<void>[] = [];
  for await (const puts of restoredBatches(options, counts)) {
    const writing = write(options, puts);
    // Thrown below, whenever it fails.
    writing.catch(() => undefined);
    writes.push(writing);
    if (writes.length < AT_ONCE) continue;
    await Promise.all(writes);
    writes = [];
  }
  await Promise.all(writes);
  await finish(options, markRevision);
  return counts;
}

/** One may have started before it could see the mark: it looks for that again once the others can see it. */
async function refuseLiving({ kv, turn, isRepeated }: RestoreOptions, markRevision: number): Promise<void> {
  const living = await livingProcesses(kv);
  if (living.length === 0) return;
  const compares = [turn.compare, { key: RESTORE_KEY, revision: markRevision }];
  if (!isRepeated) await kv.txn({ compares, puts: [], deletes: [RESTORE_KEY] });
  throw new BackupError(
    `nothing was changed: a coordinator has started meanwhile: ${living.join(", ")}. Stop it, wait 10 s, and repeat the command`,
  );
}

async function removeAll({ kv, turn }: RestoreOptions): Promise<void> {
  const own = [RESTORE_KEY, RESTORE_LEASE_KEY];
  for (let isEmpty = false; !isEmpty; ) {
    isEmpty = true;
    const { revision } = await kv.read([RESTORE_KEY]);
    for await (const page of readPages(kv, revision, { pageEntries: BATCH_ENTRIES })) {
      const deletes = page.map(({ key }) => key).filter((key) => !own.includes(key));
      if (deletes.length === 0) continue;
      isEmpty = false;
      if (!(await kv.txn({ compares: [turn.compare], puts: [], deletes })).applied) throw turnLost();
    }
  }
}

async function write({ kv, turn }: RestoreOptions, puts: readonly Put[]): Promise<void> {
  if (!(await kv.txn({ compares: [turn.compare], puts, deletes: [] })).applied) throw turnLost();
}

/** From here on coordinators may start. */
async function finish({ kv, turn, source, header, epoch, rules }: RestoreOptions, markRevision: number): Promise<void> {
  const { storeId: blobStoreId } = header;
  const { now } = rules;
  const meta: StoreMeta = { epoch, blobStoreId, ...schemaFieldsOf(header), acceptedAt: now };
  const entry = auditEntry(source.name, header, epoch, now);
  const key = recordKey("audit-entries", entry.id);
  const outcome = await kv.txn({
    compares: [turn.compare, { key: RESTORE_KEY, revision: markRevision }],
    puts: [
      { key: META_KEY, value: Buffer.from(JSON.stringify(meta)) },
      { key, value: encodeRecord(key, `restore.${entry.id}`, entry) },
    ],
    deletes: [RESTORE_KEY],
  });
  if (!outcome.applied) throw turnLost();
}

function auditEntry(name: string, header: BackupHeader, epoch: number, at: Instant): AuditEntry {
  const { storeId: id, takenAt, revision } = header;
  return {
    id: newId(at),
    at,
    teamId: OF_NO_TEAM,
    action: "restore",
    userId: null,
    credential: { kind: "operator", id: null },
    address: null,
    requestId: null,
    object: { kind: "store", id, name },
    also: [],
    before: { epoch: header.epoch, revision },
    after: { epoch, taken: new Date(takenAt).toISOString().slice(0, 19) },
  };
}
