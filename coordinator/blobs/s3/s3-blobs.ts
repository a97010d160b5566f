/**
 * Blobs in a bucket of an object store that speaks S3's protocol: `data/<team>/<sha256>` under a prefix. What is
 * short is written there at once; what is long is uploaded under a temporary name while it comes, and copied when its
 * digest is known. The object `store-id` says to which store the prefix belongs.
 */
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import type { BlobStore, FindNamed, Swept } from "../blob-store.ts";
import { Bucket, PART_BYTES } from "./bucket.ts";
import { assertTeam, dataKey, STORE_ID, TEMPORARY, youngKey } from "./keys.ts";
import { MeasuredSource } from "./measured-source.ts";
import type { S3Location } from "./s3-location.ts";
import { sweepBucket } from "./sweep-bucket.ts";
import { sweepPassed } from "./sweep-notice.ts";

const TRIES = 4;
const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 30_000;
const CONNECTIONS_MAX = 128;

export interface S3Options {
  readonly location: S3Location;
  readonly storeId: string;
  readonly region: string;
  /** Null for Amazon's own. */
  readonly endpoint: string | null;
  /** Those of the environment if left out. */
  readonly credentials?: NonNullable<S3ClientConfig["credentials"]>;
  /** Larger objects are copied in parts of so many bytes; S3's own limit if left out. */
  readonly copyBytesMax?: number;
}

/** Rejects when the prefix belongs to another store, or the bucket cannot be used. */
export async function openS3Blobs(options: S3Options): Promise<BlobStore & { close(): void }> {
  const { location, storeId, region, endpoint, credentials, copyBytesMax } = options;
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
  const bucket = new Bucket(client, location, copyBytesMax);
  try {
    await claimBucket(bucket, location, storeId);
  } catch (error) {
    bucket.close();
    throw error;
  }
  return new S3Blobs(bucket);
}

/** Of two stores that claim a prefix together both read who was first. */
async function claimBucket(bucket: Bucket, { bucket: name, prefix }: S3Location, storeId: string): Promise<void> {
  if ((await bucket.read(STORE_ID)) === null) await bucket.putIfAbsent(STORE_ID, Buffer.from(storeId));
  const owner = await bucket.read(STORE_ID);
  if (owner === storeId) return;
  const place = `s3://${name}/${prefix}`;
  throw new Error(`${place} holds the blobs of store ${owner}, not of ${storeId}: it belongs to another installation`);
}

class S3Blobs implements BlobStore {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async put(teamId: string, source: AsyncIterable<Uint8Array>, limits: { readonly bytesMax: number }) {
    assertTeam(teamId);
    const measured = new MeasuredSource(source, limits.bytesMax);
    try {
      const first = await measured.take(PART_BYTES);
      if (first.length < PART_BYTES) return await this.#putShort(teamId, first, measured);
      return await this.#putLong(teamId, first, measured);
    } catch (error) {
      throw measured.failure ?? error;
    } finally {
      await measured.end();
    }
  }

  async open(teamId: string, sha256: string, from?: { readonly offset: number }) {
    const key = dataKey(teamId, sha256);
    const found = await this.#bucket.get(key, from?.offset ?? 0);
    if (found !== null) return found;
    // What begins at the end is no range to S3.
    const whole = await this.#bucket.head(key);
    return whole && { bytes: whole.bytes, stream: Readable.from([]) };
  }

  async has(teamId: string, sha256: string): Promise<boolean> {
    return (await this.#bucket.head(dataKey(teamId, sha256))) !== null;
  }

  async renew(teamId: string, sha256: string) {
    const key = dataKey(teamId, sha256);
    if ((await this.#bucket.head(key)) === null) return null;
    await this.#bucket.put(youngKey(teamId, sha256), Buffer.alloc(0));
    await sweepPassed(this.#bucket, key);
    const found = await this.#bucket.head(key);
    return found && { bytes: found.bytes };
  }

  sweep(findNamed: FindNamed, olderThanMs: number): Promise<Swept> {
    return sweepBucket(this.#bucket, findNamed, olderThanMs);
  }

  close(): void {
    this.#bucket.close();
  }

  async #putShort(teamId: string, body: Buffer, measured: MeasuredSource) {
    const digest = measured.digest();
    const sha256 = digest.toString("hex");
    const key = dataKey(teamId, sha256);
    await this.#place(key, () => this.#bucket.put(key, body, digest));
    return { sha256, bytes: body.length };
  }

  async #putLong(teamId: string, first: Buffer, measured: MeasuredSource) {
    const temporary = TEMPORARY + randomBytes(16).toString("hex");
    try {
      await this.#bucket.putStream(temporary, Readable.from(measured.rest(first), { objectMode: false }));
      const sha256 = measured.digest().toString("hex");
      const { bytes } = measured;
      await this.#place(dataKey(teamId, sha256), () => this.#copyOrRenew(temporary, teamId, sha256, bytes));
      return { sha256, bytes };
    } finally {
      // Where this fails the next sweep does it.
      await this.#bucket.remove(temporary).catch(() => undefined);
    }
  }

  async #copyOrRenew(temporary: string, teamId: string, sha256: string, bytes: number): Promise<void> {
    const key = dataKey(teamId, sha256);
    if ((await this.#bucket.head(key)) === null) await this.#bucket.copy(temporary, key, bytes);
    else await this.#bucket.put(youngKey(teamId, sha256), Buffer.alloc(0));
  }

  /** Again, if a sweep may have removed it from under the first time. */
  async #place(key: string, write: () => Promise<void>): Promise<void> {
    await write();
    if (await sweepPassed(this.#bucket, key)) await write();
  }
}
