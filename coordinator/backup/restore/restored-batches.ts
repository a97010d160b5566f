/** The entries of a backup as they are restored, in batches of one transaction each. */
import type { ArchiveReader } from "../../archive/sql/read-archive.ts";
import { enrolled, evicted } from "../../domain/node.ts";
import { encodeRecord } from "../../store/codec.ts";
import { parseAnyRecordKey, recordKey, taskOfBytes } from "../../store/keys.ts";
import type { Put } from "../../store/kv.ts";
import { BackupError } from "../file/backup-error.ts";
import type { BackupEntry, BackupTrailer } from "../file/lines.ts";
import type { LaterChanges } from "./later-changes.ts";
import type { BackupSource } from "./read-backup.ts";
import { type EntryChange, type LeftOut, type RestoreRules, restoredEntry } from "./restored-entry.ts";
import { unopenedEntry } from "./unopened-entry.ts";

/** etcd takes 128 operations and 1.5 MiB. */
const BATCH_ENTRIES = 100;
const BATCH_BYTES = 1024 * 1024;
/** Entries for which the archive is read at once. */
const LOOK_UP_ENTRIES = 500;

export interface BatchOptions {
  readonly source: BackupSource;
  readonly trailer: BackupTrailer;
  /** But for the archived tasks, which are looked up here. */
  readonly rules: Omit<RestoreRules, "archived"> & { readonly later: Pick<LaterChanges, "evictedNodes"> };
  /** Null where it cannot be read. */
  readonly archive: Pick<ArchiveReader, "tasksOf"> | null;
  readonly onProgress: (entries: number) => void;
}

export interface RestoreCounts {
  restored: number;
  readonly changed: Partial<Record<EntryChange, number>>;
  readonly leftOut: Partial<Record<LeftOut, number>>;
  /** What master keys that are lost have sealed, by what it is: left out where it is made again, and else as it was. */
  readonly unopened: Record<string, number>;
}

export function newCounts(): RestoreCounts {
  return { restored: 0, changed: {}, leftOut: {}, unopened: {} };
}

/** Adds to the counts what became of each. */
export async function* restoredBatches(options: BatchOptions, counts: RestoreCounts): AsyncGenerator<readonly Put[]> {
  let puts: Put[] = [];
  let bytes = 0;
  for await (const put of restoredPuts(options, counts)) {
    if (puts.length >= BATCH_ENTRIES || bytes + put.value.length > BATCH_BYTES) {
      yield puts;
      puts = [];
      bytes = 0;
    }
    puts.push(put);
    bytes += put.value.length;
  }
  if (puts.length > 0) yield puts;
}

async function* restoredPuts(options: BatchOptions, counts: RestoreCounts): AsyncGenerator<Put> {
  const { rules, onProgress } = options;
  const evictedLater = rules.later.evictedNodes();
  for await (const { entries, archived } of lookedUp(options)) {
    for (const { key, value } of entries) {
      const of = parseAnyRecordKey(key);
      if (of?.kind === "nodes") evictedLater.delete(of.id);
      const unopened = rules.lacksMasterKeys ? unopenedEntry({ key, value }, rules.masterKeys ?? []) : null;
      const after = restoredEntry({ key, value }, { ...rules, archived });
      if (unopened !== null && (after.kind === "restored" || after.why === "unopened")) {
        counts.unopened[unopened.what] = (counts.unopened[unopened.what] ?? 0) + 1;
      }
      if (after.kind === "left out") {
        counts.leftOut[after.why] = (counts.leftOut[after.why] ?? 0) + 1;
        continue;
      }
      counts.restored += 1;
      if (after.change !== null) counts.changed[after.change] = (counts.changed[after.change] ?? 0) + 1;
      yield { key, value: after.value };
    }
    onProgress(counts.restored);
  }
  // Machines that enrolled after the backup, too: their certificates would be good for up to a day.
  for (const [id, at] of evictedLater) {
    counts.changed["nodes evicted"] = (counts.changed["nodes evicted"] ?? 0) + 1;
    const key = recordKey("nodes", id);
    yield { key, value: encodeRecord(key, `restore.${at}`, evicted(enrolled(null, { id, enrolmentId: "" }, at), at)) };
  }
}

/** Entries, each with the tasks among them that the archive has. */
async function* lookedUp({ source, archive, trailer }: BatchOptions) {
  let entries: BackupEntry[] = [];
  const look = async () => {
    const ids = [...new Set(entries.flatMap(({ key }) => taskIdOf(key) ?? []))];
    const page = { entries, archived: (await archive?.tasksOf(ids)) ?? new Set<string>() };
    entries = [];
    return page;
  };
  for await (const item of source.items()) {
    if (item.kind === "end" && item.trailer.sha256 !== trailer.sha256) {
      throw new BackupError(
        "the backup was replaced while it was restored: repeat the command with the file that it was",
      );
    }
    if (item.kind === "entry") entries.push(item.entry);
    if (entries.length === LOOK_UP_ENTRIES) yield await look();
  }
  yield await look();
}

function taskIdOf(key: string): string | null {
  const of = parseAnyRecordKey(key);
  return of?.kind === "tasks" ? of.id : taskOfBytes(key);
}
