/** From what an operator names to where backups are. */
import { basename, dirname } from "node:path";
import { parseS3Location } from "../../blobs/s3/s3-location.ts";
import { BackupError } from "../file/backup-error.ts";
import type { BackupPlace } from "./backup-place.ts";
import { directoryPlace } from "./directory-place.ts";

/** How buckets are reached. */
export interface S3Access {
  readonly region: string;
  /** Null for Amazon's own. */
  readonly endpoint: string | null;
}

/** Of backups: a directory, or `s3://bucket/prefix`. */
export async function openPlace(text: string, access: S3Access): Promise<BackupPlace> {
  if (!text.startsWith("s3:")) return directoryPlace(text);
  const location = parseS3Location(text);
  if (location === null)
    throw new BackupError(`${JSON.stringify(text)} is neither a directory nor s3://<bucket>/<prefix>`);
  // Its client takes a while to load, and most do without.
  const { connectBucket } = await import("../../blobs/s3/open-bucket.ts");
  const { bucketPlace } = await import("./bucket-place.ts");
  return bucketPlace(connectBucket({ location, ...access }), text);
}

/** Of one backup: a file, or `s3://bucket/prefix/name`. */
export async function openFile(
  text: string,
  access: S3Access,
): Promise<{ readonly place: BackupPlace; readonly name: string }> {
  const [, folder = "", name = ""] = /^(s3:\/\/.*)\/([^/]+)$/.exec(text) ?? [];
  if (folder !== "") return { place: await openPlace(folder, access), name };
  return { place: await openPlace(dirname(text), access), name: basename(text) };
}
