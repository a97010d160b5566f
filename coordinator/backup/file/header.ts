/** The first line of a backup: what it is of, and what it takes to use it. */
import { z } from "zod";
import { BackupError } from "./backup-error.ts";

/** Raised by a change that an older program would misread. */
export const FORMAT_VERSION = 1;

const archiveMark = z.object({
  id: z.string(),
  /** Id of the newest audit entry that was in it; empty for none, null where the archive could not be read. */
  newestAuditId: z.string().nullable(),
});

const headerSchema = z.object({
  format: z.literal("elastic-backup"),
  version: z.literal(FORMAT_VERSION),
  /** That of the blobs too. */
  storeId: z.string(),
  epoch: z.number().int().positive(),
  schemaVersion: z.number().int().positive(),
  /** As in the store's own record (store/identity/meta.ts); left out where nothing is beyond version 1. */
  schemaMinimum: z.number().int().positive().optional(),
  kinds: z.record(z.string(), z.object({ version: z.number(), minimum: z.number() })).optional(),
  clusterId: z.string(),
  /** Of etcd: all entries are as of this one. */
  revision: z.number().int().positive(),
  takenAt: z.number().int().positive(),
  /** Null where the store had no archive yet. */
  archive: archiveMark.nullable(),
  /** Ids of the master keys, which are not in it: the start of each one's digest. */
  masterKeys: z.array(z.string()),
});

export type BackupHeader = Readonly<z.output<typeof headerSchema>>;

/** Throws BackupError where it is not one that this program can read. */
export function readHeader(line: object): BackupHeader {
  const { format, version } = line as { readonly format?: unknown; readonly version?: unknown };
  if (format === "elastic-backup" && typeof version === "number" && version > FORMAT_VERSION) {
    throw new BackupError(
      `the backup has format version ${version}, and this program knows ${FORMAT_VERSION}: use the elastic-coordinator that wrote it, or a newer one`,
    );
  }
  const parsed = headerSchema.safeParse(line);
  if (!parsed.success) throw new BackupError("the file was decrypted, and holds no backup of this service");
  return parsed.data;
}
