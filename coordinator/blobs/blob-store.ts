/**
 * The port to bulk bytes: inputs and results too large for the store, under the team's id and the SHA-256 of the
 * content. A team's bytes are found by that team alone. Implemented by file-blobs.ts and s3/; every implementation
 * passes blob-store.contract.component.test.ts.
 */
import type { Readable } from "node:stream";

export interface BlobAddress {
  readonly teamId: string;
  readonly sha256: string;
}

export interface BlobStore {
  /**
   * Stores the bytes and resolves once they are durable. Rejects with BlobTooLargeError as soon as more than
   * `bytesMax` have come, with BlobDigestError, with BlobsFullError, and with the source's own error; nothing is stored
   * then.
   */
  put(teamId: string, source: AsyncIterable<Uint8Array>, limits: PutLimits): Promise<Put>;
  /**
   * Null if there are none, and BlobsUnavailableError where the place of all blobs is gone. `bytes` is the size of the
   * complete blob; the stream begins at the offset. Of `verifiedBlobs` it rejects with BlobCorruptError, or the stream does,
   * where the bytes have another digest, or are missing although a record has their size.
   */
  open(
    teamId: string,
    sha256: string,
    from?: OpenFrom,
  ): Promise<{ readonly bytes: number; readonly stream: Readable } | null>;
  has(teamId: string, sha256: string): Promise<boolean>;
  /** Makes it as young as a put would, so that no sweep takes it before a record names it. Null if it is not there. */
  renew(teamId: string, sha256: string): Promise<{ readonly bytes: number } | null>;
  /**
   * Removes what was last put more than `olderThanMs` ago and is not named, and what broken puts left behind. What is
   * put again while it runs stays.
   */
  sweep(findNamed: FindNamed, olderThanMs: number): Promise<Swept>;
  /** All that are there, in any order; what is put or swept meanwhile may be missing or gone. */
  list(): AsyncIterable<BlobAddress>;
  /**
   * Rejects with BlobsUnavailableError where this process can put nothing although others may: its directory is read-only,
   * gone or another store's. An object store is the same for all, so that one is not probed.
   */
  probe(): Promise<void>;
}

export interface OpenFrom {
  /** 0 where it is left out. */
  readonly offset?: number;
  /**
   * What was put, as a record says: what is longer is cut there, for a reader who counts on so many would else take damage for
   * the end; and what is missing counts as damaged.
   */
  readonly bytes?: number;
  /** The reader compares the digest of the complete blob itself: what comes before the offset need not be read. */
  readonly isVerifiedByReader?: boolean;
}

export interface PutLimits {
  readonly bytesMax: number;
  /** The digest that the bytes must have. */
  readonly sha256?: string;
  /** Whether it leaves the room that is reserved for tasks, where there is such. */
  readonly sparesReserve?: boolean;
}

export interface Put {
  readonly sha256: string;
  readonly bytes: number;
}

/** Which of these blobs of a team something names. Called for many at a time. */
export type FindNamed = (teamId: string, sha256s: readonly string[]) => Promise<ReadonlySet<string>>;

export interface Swept {
  readonly blobs: number;
  readonly bytes: number;
}

/** It could not be reached or written; nothing was acknowledged. */
export class BlobsUnavailableError extends Error {
  override readonly name = "BlobsUnavailableError";
}

/** There is no room; nothing of it was stored. */
export class BlobsFullError extends Error {
  override readonly name = "BlobsFullError";
}

/** What came has another digest than was said. */
export class BlobDigestError extends Error {
  override readonly name = "BlobDigestError";
  readonly put: Put;

  constructor(put: Put) {
    super(`${put.bytes} bytes of the digest ${put.sha256}`);
    this.put = put;
  }
}

/** What is there under the digest has another one, or nothing is there: it was damaged or removed after it was put. */
export class BlobCorruptError extends Error {
  override readonly name = "BlobCorruptError";
  readonly teamId: string;
  readonly sha256: string;

  /** `bytes` is how many there are; null for a missing blob. */
  constructor(teamId: string, sha256: string, bytes: number | null) {
    const address = `${sha256} of team ${teamId}`;
    super(bytes === null ? `${address} is missing` : `the ${bytes} bytes under ${address} have another digest`);
    this.teamId = teamId;
    this.sha256 = sha256;
  }
}

/** Throws where the bytes are others than was said. */
export function assertDigest(put: Put, { sha256 }: PutLimits): void {
  if (sha256 !== undefined && put.sha256 !== sha256) throw new BlobDigestError(put);
}

export class BlobTooLargeError extends Error {
  override readonly name = "BlobTooLargeError";
  readonly bytesMax: number;

  constructor(bytesMax: number) {
    super(`more than ${bytesMax} bytes`);
    this.bytesMax = bytesMax;
  }
}
