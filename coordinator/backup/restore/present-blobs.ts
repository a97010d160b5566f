/** The blobs that coordinators will use, looked at without claiming or creating anything. */
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BlobAddress } from "../../blobs/blob-store.ts";
import type { S3Location } from "../../blobs/s3/s3-location.ts";
import type { S3Access } from "../place/open-place.ts";

export interface PresentBlobs {
  readonly description: string;
  /** Null where no coordinator has used it. */
  storeId(): Promise<string | null>;
  has(blob: BlobAddress): Promise<boolean>;
  close(): void;
}

const TEAM = /^[0-9a-f]{32}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** `dir` is used where no bucket is named. */
export async function presentBlobs(location: S3Location | null, dir: string, s3: S3Access): Promise<PresentBlobs> {
  if (location === null) return directoryBlobs(dir);
  const { connectBucket } = await import("../../blobs/s3/open-bucket.ts");
  const { dataKey, STORE_ID } = await import("../../blobs/s3/keys.ts");
  const bucket = connectBucket({ location, ...s3 });
  return {
    description: `s3://${location.bucket}/${location.prefix}`,
    storeId: async () => (await bucket.read(STORE_ID))?.trim() ?? null,
    has: async ({ teamId, sha256 }) =>
      isAddress(teamId, sha256) && (await bucket.head(dataKey(teamId, sha256))) !== null,
    close: () => bucket.close(),
  };
}

function directoryBlobs(dir: string): PresentBlobs {
  return {
    description: dir,
    storeId: () => readFile(join(dir, "store-id"), "utf8").then((text) => text.trim(), nullIfMissing),
    has: async ({ teamId, sha256 }) => {
      if (!isAddress(teamId, sha256)) return false;
      return (await access(join(dir, "data", teamId, sha256)).catch(nullIfMissing)) !== null;
    },
    close: () => undefined,
  };
}

/** They come from a file, and become a path. */
function isAddress(teamId: string, sha256: string): boolean {
  return TEAM.test(teamId) && SHA256.test(sha256);
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}
