/** Writes one backup, reads it back, and only then removes the oldest. The store is written to meanwhile. */
import { createHash } from "node:crypto";
import { type Readable, Transform } from "node:stream";
import type { Clock } from "@elastic/std/clock.ts";
import { schemaFieldsOf } from "../../store/identity/meta.ts";
import type { Kv } from "../../store/kv.ts";
import { BackupError } from "../file/backup-error.ts";
import { backupName, namesToRemove } from "../file/backup-name.ts";
import { encryptLines } from "../file/encrypted-lines.ts";
import { type BackupHeader, FORMAT_VERSION } from "../file/header.ts";
import { type BackupPage, type BackupTrailer, writeLines } from "../file/lines.ts";
import type { BackupPlace } from "../place/backup-place.ts";
import { isCompacted, openSnapshot, type Snapshot } from "./read-snapshot.ts";
import { refuseOlder } from "./refuse-older.ts";

/** etcd forgets a revision some minutes after it, as its compaction is configured. */
const TRIES = 3;

export interface BackupOptions {
  readonly kv: Pick<Kv, "range" | "read">;
  readonly clusterId: () => string;
  readonly archive: BackupHeader["archive"];
  readonly masterKeys: readonly string[];
  readonly recipient: string;
  readonly place: BackupPlace;
  /** How many of this store stay; null for all. */
  readonly keep: number | null;
  readonly clock: Pick<Clock, "now">;
  /** Throws where this state must not be backed up. */
  readonly admit?: (found: Pick<Snapshot, "revision" | "meta">, clusterId: string) => void;
  /** How many entries have been written so far. */
  readonly onProgress: (entries: number) => void;
}

export interface TakenBackup {
  readonly name: string;
  readonly header: BackupHeader;
  readonly trailer: BackupTrailer;
  /** Of the file as it was written, and found again. */
  readonly bytes: number;
  readonly sha256: string;
  readonly removed: readonly string[];
}

export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  for (let tries = 1; ; tries++) {
    try {
      return await takeOnce(options);
    } catch (error) {
      if (!isCompacted(error)) throw error;
      if (tries < TRIES) continue;
      throw new BackupError(
        "etcd compacted the revision while it was being read, three times: retain history for longer " +
          "(--auto-compaction-retention), and take the backup again. No backup was written",
        { cause: error },
      );
    }
  }
}

async function takeOnce(options: BackupOptions): Promise<TakenBackup> {
  const { kv, place, keep, clock } = options;
  // Before the first read: what is changed later is later than the backup.
  const takenAt = clock.now();
  const snapshot = await openSnapshot(kv);
  const { epoch, blobStoreId: storeId } = snapshot.meta;
  const header: BackupHeader = {
    format: "elastic-backup",
    version: FORMAT_VERSION,
    storeId,
    epoch,
    ...schemaFieldsOf(snapshot.meta),
    clusterId: options.clusterId(),
    revision: snapshot.revision,
    takenAt,
    archive: options.archive,
    masterKeys: [...options.masterKeys],
  };
  const name = backupName(header);
  options.admit?.(snapshot, header.clusterId);
  const names = await place.list();
  refuseOlder({ storeId, epoch, revision: snapshot.revision }, names, place.description);
  if (names.includes(name)) {
    throw new BackupError(
      `no backup was written: ${name} is in ${place.description} already, of this second and state`,
    );
  }
  const end: { trailer?: BackupTrailer } = {};
  const lines = writeLines(header, counted(snapshot.pages(), options.onProgress), (trailer) => {
    end.trailer = trailer;
  });
  const written = measured(await encryptLines(lines, options.recipient));
  await place.write(name, written.stream);
  const of = written.result();
  await verify(place, name, of.sha256);
  const { trailer } = end;
  if (trailer === undefined) throw new Error("the backup was written without its end");
  const removed = keep === null ? [] : namesToRemove(await place.list(), { storeId, taken: name, keep });
  for (const one of removed) await place.remove(one);
  return { name, header, trailer, ...of, removed };
}

/**
 * That the file is there as it was written. That it can be decrypted is not checked: no coordinator has the key, which
 * `restore --check` takes.
 */
async function verify(place: BackupPlace, name: string, sha256: string): Promise<void> {
  const stream = await place.read(name);
  const hash = createHash("sha256");
  if (stream !== null) for await (const chunk of stream) hash.update(chunk as Uint8Array);
  if (stream !== null && hash.digest("hex") === sha256) return;
  throw new BackupError(
    `${name} in ${place.description} was read back other than it was written: do not rely on it. Check the disk or the ` +
      "object store, and take the backup again. No older backup was removed",
  );
}

async function* counted(pages: AsyncIterable<BackupPage>, onProgress: (entries: number) => void) {
  let entries = 0;
  for await (const page of pages) {
    entries += page.entries.length;
    onProgress(entries);
    yield page;
  }
}

/** Passes on what comes, and knows what it was. */
function measured(source: Readable) {
  const hash = createHash("sha256");
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      done(null, chunk);
    },
  });
  source.on("error", (error) => stream.destroy(error));
  source.pipe(stream);
  return { stream, result: () => ({ bytes, sha256: hash.digest("hex") }) };
}
