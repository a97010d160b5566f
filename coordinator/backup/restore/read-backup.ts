/** One backup: read from its place as often as needed, a line at a time. */
import type { Readable } from "node:stream";
import { BackupError } from "../file/backup-error.ts";
import { decryptLines } from "../file/encrypted-lines.ts";
import type { BackupHeader } from "../file/header.ts";
import type { BackupItem, BackupTrailer } from "../file/lines.ts";
import type { BackupPlace } from "../place/backup-place.ts";

export interface BackupSource {
  readonly name: string;
  items(): AsyncGenerator<BackupItem>;
}

export interface VerifiedBackup {
  readonly header: BackupHeader;
  readonly trailer: BackupTrailer;
}

export function backupSource(place: BackupPlace, name: string, identities: readonly string[]): BackupSource {
  return {
    name,
    async *items() {
      yield* decryptLines(await open(place, name), identities);
    },
  };
}

async function open(place: BackupPlace, name: string): Promise<Readable> {
  const file = await place.read(name);
  if (file === null) throw new BackupError(`there is no backup ${name} in ${place.description}`);
  return file;
}

/** Reads all of it. Rejects with BackupError where any of it is not as it was written. */
export async function verifyBackup(
  source: BackupSource,
  onItem: (item: BackupItem) => void | Promise<void> = () => undefined,
): Promise<VerifiedBackup> {
  let header: BackupHeader | null = null;
  let trailer: BackupTrailer | null = null;
  for await (const item of source.items()) {
    if (item.kind === "header") header = item.header;
    else if (item.kind === "end") trailer = item.trailer;
    await onItem(item);
  }
  // A backup without them was rejected while it was read.
  if (header === null || trailer === null) throw new BackupError("the backup is empty");
  return { header, trailer };
}
