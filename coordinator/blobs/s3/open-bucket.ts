/**
 * Reaches a bucket of an object store that speaks S3's protocol. The object `store-id` says to which store the prefix
 * belongs.
 */
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { Bucket } from "./bucket.ts";
import { STORE_ID } from "./keys.ts";
import type { S3Location } from "./s3-location.ts";

const TRIES = 4;
const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 30_000;
const CONNECTIONS_MAX = 128;

export interface BucketAccess {
  readonly location: S3Location;
  readonly region: string;
  /** Null for Amazon's own. */
  readonly endpoint: string | null;
  /** Those of the environment if left out. */
  readonly credentials?: NonNullable<S3ClientConfig["credentials"]>;
  /** Larger objects are copied in parts of so many bytes; S3's own limit if left out. */
  readonly copyBytesMax?: number;
}

export interface BucketOptions extends BucketAccess {
  readonly storeId: string;
}

/** Rejects when the prefix belongs to another store, or the bucket cannot be used. */
export async function openBucket(options: BucketOptions): Promise<Bucket> {
  const { location, storeId } = options;
  const bucket = connectBucket(options);
  try {
    await claimBucket(bucket, location, storeId);
  } catch (error) {
    bucket.close();
    throw error;
  }
  return bucket;
}

/** Of no store in particular: nothing is claimed, and nothing was reached yet. */
export function connectBucket({ location, region, endpoint, credentials, copyBytesMax }: BucketAccess): Bucket {
  const client = new S3Client({
    region,
    maxAttempts: TRIES,
    // Stores of one's own have one name for all buckets.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    requestHandler: {
      connectionTimeout: CONNECT_WITHIN_MS,
      requestTimeout: ANSWER_WITHIN_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: CONNECTIONS_MAX },
      httpsAgent: { maxSockets: CONNECTIONS_MAX },
    },
  });
  return new Bucket(client, location, copyBytesMax);
}

/** Of two stores that claim a prefix together both read who was first. */
async function claimBucket(bucket: Bucket, { bucket: name, prefix }: S3Location, storeId: string): Promise<void> {
  if ((await bucket.read(STORE_ID)) === null) await bucket.putIfAbsent(STORE_ID, Buffer.from(storeId));
  const owner = await bucket.read(STORE_ID);
  if (owner === storeId) return;
  const place = `s3://${name}/${prefix}`;
  throw new Error(`${place} holds the blobs of store ${owner}, not of ${storeId}: it belongs to another installation`);
}
