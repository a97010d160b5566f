/**
 * The port to bulk bytes: inputs and results too large for the store, under the team's id and the SHA-256 of the
 * content. A team's bytes are found by that team alone. Implemented by file-blobs.ts and s3/; every implementation
 * passes blob-store.contract.test.ts.
 */
import type { Readable } from "node:stream";

export interface BlobStore {
  /**
   * Keeps the bytes and answers once they are durable. Rejects with BlobTooLargeError as soon as more than
   * `bytesMax` have come, with BlobsFullError, and with the source's own error; nothing is kept then.
   */
  put(
    teamId: string,
    source: AsyncIterable<Uint8Array>,
    limits: { readonly bytesMax: number },
  ): Promise<{ readonly sha256: string; readonly bytes: number }>;
  /** Null if there are none. `bytes` is the size of the whole; the stream begins at the offset. */
  open(
    teamId: string,
    sha256: string,
    from?: { readonly offset: number },
  ): Promise<{ readonly bytes: number; readonly stream: Readable } | null>;
  has(teamId: string, sha256: string): Promise<boolean>;
  /** Makes it as young as a put would, so that no sweep takes it before a record names it. Null if it is not there. */
  renew(teamId: string, sha256: string): Promise<{ readonly bytes: number } | null>;
  /**
   * Removes what was last put more than `olderThanMs` ago and is not named, and what broken puts left behind. What is
   * put again while it runs stays.
   */
  sweep(findNamed: FindNamed, olderThanMs: number): Promise<Swept>;
}

/** Which of these blobs of a team something names. Asked for many at a time. */
export type FindNamed = (teamId: string, sha256s: readonly string[]) => Promise<ReadonlySet<string>>;

export interface Swept {
  readonly blobs: number;
  readonly bytes: number;
}

/** It could not be asked; nothing was acknowledged. */
export class BlobsUnavailableError extends Error {
  override readonly name = "BlobsUnavailableError";
}

/** There is no room; nothing of it was kept. */
export class BlobsFullError extends Error {
  override readonly name = "BlobsFullError";
}

export class BlobTooLargeError extends Error {
  override readonly name = "BlobTooLargeError";
  readonly bytesMax: number;

  constructor(bytesMax: number) {
    super(`more than ${bytesMax} bytes`);
    this.bytesMax = bytesMax;
  }
}
