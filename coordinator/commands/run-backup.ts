/** Takes one backup with the settings of a coordinator, and says what it wrote. */

import { systemClock } from "@elastic/std/clock.ts";
import { counted } from "@elastic/std/counted.ts";
import type { ArchiveReader } from "../archive/sql/read-archive.ts";
import { checkRecipient } from "../backup/file/age.ts";
import { BackupError } from "../backup/file/backup-error.ts";
import type { BackupHeader } from "../backup/file/header.ts";
import { openPlace } from "../backup/place/open-place.ts";
import { type TakenBackup, takeBackup } from "../backup/take/take-backup.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { readArchiveClaim } from "../store/archive-claim.ts";
import { compareStore, epochAfter, type KnownStore } from "../store/identity/compare-store.ts";
import { remedyOf, whatChanged } from "../store/identity/describe-change.ts";
import { readIdentity } from "../store/identity/identity-file.ts";
import type { StoreHeader } from "../store/identity/judge-response.ts";
import type { StoreMeta } from "../store/identity/meta.ts";
import type { Kv } from "../store/kv.ts";
import { connect, identityFileOf, masterKeyIds, progressLine, readArchive } from "./backup-access.ts";
import type { CommandContext } from "./command-context.ts";

interface BackupFlags {
  readonly to: string;
  readonly keep: number | null;
  /** Also where the archive cannot be read. */
  readonly withoutArchive: boolean;
}

export async function runBackup(
  context: CommandContext,
  config: Config,
  { to, keep, withoutArchive }: BackupFlags,
): Promise<TakenBackup> {
  const { backupRecipient: recipient, s3Region: region, s3Endpoint: endpoint } = config;
  if (recipient === null) {
    throw new ConfigError(
      "to whom the backup is encrypted is not set: ELASTIC_BACKUP_RECIPIENT (--recipient) is the public key that backup-key prints",
    );
  }
  admitRecipient(recipient);
  const masterKeys = masterKeyIds(config);
  if (masterKeys.length === 0) {
    throw new ConfigError(
      `no backup was written: ${config.secretsKeyFile} does not exist: name the coordinators' master keys (ELASTIC_SECRETS_KEY_FILE), whose ` +
        "fingerprints a backup has",
    );
  }
  const known = await readIdentity(identityFileOf(config));
  const { kv, clusterId } = connect(config);
  const { archive, whyUnread } = await readArchive(config);
  const mark = await archiveMark(kv, archive);
  await archive?.close();
  if (mark?.newestAuditId === null) {
    const why = archive === null ? whyUnread : "ELASTIC_ARCHIVE is not the archive of this store";
    const result = "a restore of this backup would disable every access key";
    if (!withoutArchive) {
      throw new BackupError(
        `no backup was written: ${why}, and ${result}. Correct ELASTIC_ARCHIVE, or let this user read it; or add --without-archive`,
      );
    }
    context.progress(`warning: ${why}, and ${result}`);
  }
  return await takeBackup({
    kv,
    clusterId,
    archive: mark,
    masterKeys,
    recipient,
    place: await openPlace(to, { region, endpoint }),
    keep,
    clock: systemClock,
    admit: (found, clusterOfFound) => admitKnown(known, { ...found, clusterId: clusterOfFound }),
    onProgress: progressLine(context, (entries) => `${entries} entries read`),
  });
}

function admitRecipient(recipient: string): void {
  try {
    checkRecipient(recipient);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new ConfigError(`no backup was written: ${error.message}`);
  }
}

/** Throws where a coordinator of this machine would not start on it. Where none has run here, nothing is known. */
function admitKnown(known: KnownStore | null, { meta, ...header }: StoreHeader & { readonly meta: StoreMeta }): void {
  const change = known === null ? null : compareStore(known, { ...header, installation: meta });
  if (change === null || change.kind === "accepted") return;
  throw new BackupError(
    `no backup was written or removed: ${whatChanged(change)}. ${remedyOf(epochAfter(known, meta))}`,
  );
}

/** Null where the store has no archive yet. */
async function archiveMark(kv: Pick<Kv, "read">, archive: ArchiveReader | null): Promise<BackupHeader["archive"]> {
  const claim = await readArchiveClaim(kv);
  if (claim === null) return null;
  const newestAuditId = archive?.id === claim.id ? await archive.newestAuditId() : null;
  return { id: claim.id, newestAuditId };
}

export function backupJson({ name, header, trailer, bytes, sha256, removed }: TakenBackup, to: string) {
  return {
    place: to,
    name,
    bytes,
    sha256,
    store_id: header.storeId,
    epoch: header.epoch,
    revision: header.revision,
    taken: new Date(header.takenAt).toISOString(),
    entries: trailer.entries,
    blobs_named: trailer.blobs,
    content_sha256: trailer.sha256,
    archive_read: header.archive?.newestAuditId !== null,
    master_keys: header.masterKeys,
    removed,
  };
}

export function backupText(taken: TakenBackup, to: string): string {
  const { name, trailer, bytes, sha256, removed } = taken;
  const lines = [
    `${to.replace(/\/+$/, "")}/${name}`,
    `${counted(trailer.entries, "entry", "entries")}, ${counted(trailer.blobs, "blob")} named, ${bytes} bytes, read back with the same digest`,
    `sha256 ${sha256}, of the content ${trailer.sha256}`,
    ...removed.map((one) => `removed ${one}`),
  ];
  return lines.join("\n");
}
