/** Opens the store of blobs and of tasks' logs: a directory or a bucket, which all coordinators share. */
import type { Logger } from "@elastic/std/log.ts";
import type { BlobCorruptError, BlobStore } from "../blobs/blob-store.ts";
import { openFileBlobs } from "../blobs/file-blobs.ts";
import { verifiedBlobs } from "../blobs/verified-blobs.ts";
import type { Config } from "../config/config.ts";
import { openFileTaskLogs } from "../task-logs/file-task-logs.ts";
import { type FollowedLogs, followedLogs } from "../task-logs/followed-logs.ts";
import { openS3TaskLogs } from "../task-logs/s3/s3-task-logs.ts";

interface Bytes {
  readonly blobs: BlobStore;
  readonly logs: FollowedLogs;
}

interface OpenBytesOptions {
  readonly config: Config;
  readonly storeId: string;
  /** Called for each read that finds damage. */
  readonly onCorrupt: (error: BlobCorruptError) => void;
  readonly log: Logger;
}

/** `starting` closes what was opened. */
export async function openBytes(options: OpenBytesOptions, starting: AsyncDisposableStack): Promise<Bytes> {
  const { blobs, logs } = await openUnverified(options, starting);
  return { blobs: verifiedBlobs(blobs, options.onCorrupt), logs };
}

async function openUnverified(
  { config, storeId, log }: OpenBytesOptions,
  starting: AsyncDisposableStack,
): Promise<Bytes> {
  const { blobs: location, blobsDir: dir, blobsReserve: reserveBytes, s3Region: region, s3Endpoint: endpoint } = config;
  if (location === null) {
    const foundStray = (message: string): void => log.warn(`stray entry among the blobs: ${message}`);
    return {
      blobs: await openFileBlobs({ dir, storeId, reserveBytes, foundStray }),
      logs: followedLogs(openFileTaskLogs(dir)),
    };
  }
  // Its client takes a while to load, and most coordinators do without.
  const { openBucket } = await import("../blobs/s3/open-bucket.ts");
  const { s3Blobs } = await import("../blobs/s3/s3-blobs.ts");
  const bucket = await openBucket({ location, storeId, region, endpoint });
  starting.defer(() => bucket.close());
  return { blobs: s3Blobs(bucket), logs: followedLogs(openS3TaskLogs(bucket)) };
}
