/**
 * Blobs in a bucket of an object store that speaks S3's protocol: `data/<team>/<sha256>` under a prefix. What is
 * short is written there at once; what is long is uploaded under a temporary name while it comes, and copied when its
 * digest is known.
 */
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  assertDigest,
  type BlobAddress,
  type BlobStore,
  BlobsUnavailableError,
  type FindNamed,
  type OpenFrom,
  type PutLimits,
  type Swept,
} from "../blob-store.ts";
import { type Bucket, PART_BYTES } from "./bucket.ts";
import { addressOf, assertTeam, DATA, dataKey, STORE_ID, TEMPORARY, youngKey } from "./keys.ts";
import { MeasuredSource } from "./measured-source.ts";
import { sweepBucket } from "./sweep-bucket.ts";
import { sweepPassed } from "./sweep-notice.ts";

export function s3Blobs(bucket: Bucket): BlobStore {
  return new S3Blobs(bucket);
}

class S3Blobs implements BlobStore {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async put(teamId: string, source: AsyncIterable<Uint8Array>, limits: PutLimits) {
    assertTeam(teamId);
    const measured = new MeasuredSource(source, limits.bytesMax);
    try {
      const first = await measured.take(PART_BYTES);
      if (first.length < PART_BYTES) return await this.#putShort(teamId, first, measured, limits);
      return await this.#putLong(teamId, first, measured, limits);
    } catch (error) {
      throw measured.failure ?? error;
    } finally {
      await measured.end();
    }
  }

  async open(teamId: string, sha256: string, from?: Pick<OpenFrom, "offset">) {
    const key = dataKey(teamId, sha256);
    const found = await this.#bucket.get(key, from?.offset ?? 0);
    if (found !== null) return found;
    // What begins at the end is no range to S3.
    const head = await this.#bucket.head(key);
    if (head !== null) return { bytes: head.bytes, stream: Readable.from([]) };
    // Without what marks the prefix as this store's, bucket or prefix are gone, and nothing is known of any one blob.
    if ((await this.#bucket.read(STORE_ID)) !== null) return null;
    throw new BlobsUnavailableError(`the object store: ${STORE_ID} is missing`);
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

  async *list(): AsyncGenerator<BlobAddress> {
    for await (const page of this.#bucket.list(DATA)) yield* page.flatMap(({ key }) => addressOf(key) ?? []);
  }

  async probe(): Promise<void> {}

  sweep(findNamed: FindNamed, olderThanMs: number): Promise<Swept> {
    return sweepBucket(this.#bucket, findNamed, olderThanMs);
  }

  async #putShort(teamId: string, body: Buffer, measured: MeasuredSource, limits: PutLimits) {
    const digest = measured.digest();
    const sha256 = digest.toString("hex");
    assertDigest({ sha256, bytes: body.length }, limits);
    const key = dataKey(teamId, sha256);
    await this.#place(key, () => this.#bucket.put(key, body, digest));
    return { sha256, bytes: body.length };
  }

  async #putLong(teamId: string, first: Buffer, measured: MeasuredSource, limits: PutLimits) {
    const temporary = TEMPORARY + randomBytes(16).toString("hex");
    try {
      await this.#bucket.putStream(temporary, Readable.from(measured.rest(first), { objectMode: false }));
      const sha256 = measured.digest().toString("hex");
      const { bytes } = measured;
      assertDigest({ sha256, bytes }, limits);
      const key = dataKey(teamId, sha256);
      // Also over what is there already: it may have been damaged.
      await this.#place(key, () => this.#bucket.copy(temporary, key, bytes));
      return { sha256, bytes };
    } finally {
      // Where this fails the next sweep does it.
      await this.#bucket.remove(temporary).catch(() => undefined);
    }
  }

  /** Again, if a sweep may have removed it from under the first time. */
  async #place(key: string, write: () => Promise<void>): Promise<void> {
    await write();
    if (await sweepPassed(this.#bucket, key)) await write();
  }
}
