/**
 * Blobs that are read as they were put, or not at all. What is small is read and compared with its digest before the
 * first byte is handed out; of what is large the last piece is, so that a reader who knows how long it is never takes
 * damaged bytes for complete ones.
 */
import { createHash, hash } from "node:crypto";
import { pipeline, Readable, Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import { BlobCorruptError, type BlobStore } from "./blob-store.ts";

/** Of blobs that are compared before the first byte. */
export const VERIFIED_FIRST_BYTES_MAX = 1024 * 1024;

/** `onCorrupt` is called for each read that found damage or nothing, also of those that have begun. */
export function verifiedBlobs(blobs: BlobStore, onCorrupt: (error: BlobCorruptError) => void): BlobStore {
  return {
    put: (...args) => blobs.put(...args),
    has: (...args) => blobs.has(...args),
    renew: (...args) => blobs.renew(...args),
    sweep: (...args) => blobs.sweep(...args),
    list: () => blobs.list(),
    probe: () => blobs.probe(),
    open: async (teamId, sha256, from = {}) => {
      if (from.isVerifiedByReader === true) return await blobs.open(teamId, sha256, from);
      const found = await blobs.open(teamId, sha256);
      const corrupt = () => {
        const error = new BlobCorruptError(teamId, sha256, found?.bytes ?? null);
        onCorrupt(error);
        return error;
      };
      if (found === null) {
        if (from.bytes === undefined) return null;
        throw corrupt();
      }
      const bytes = from.bytes ?? found.bytes;
      const offset = Math.min(from.offset ?? 0, bytes);
      const isLonger = found.bytes > bytes;
      if (bytes <= VERIFIED_FIRST_BYTES_MAX && !isLonger) {
        const whole = await buffer(found.stream);
        if (hash("sha256", whole, "hex") !== sha256) throw corrupt();
        return { bytes, stream: Readable.from([whole.subarray(offset)], { objectMode: false }) };
      }
      const stream = compared(found.stream, { sha256, bytes, offset, isLonger, corrupt });
      if (bytes > VERIFIED_FIRST_BYTES_MAX) return { bytes, stream };
      return { bytes, stream: Readable.from([await buffer(stream)], { objectMode: false }) };
    },
  };
}

interface Comparison {
  readonly sha256: string;
  readonly bytes: number;
  /** Of the first byte that is handed out. */
  readonly offset: number;
  readonly isLonger: boolean;
  readonly corrupt: () => BlobCorruptError;
}

function compared(source: Readable, { sha256, bytes, offset, isLonger, corrupt }: Comparison): Readable {
  const digest = createHash("sha256");
  let at = 0;
  let last: Buffer | null = null;
  const comparing = new Transform({
    transform(chunk: Buffer, _, done) {
      const own = chunk.subarray(0, bytes - at);
      digest.update(own);
      const rest = own.subarray(Math.min(own.length, Math.max(0, offset - at)));
      at += own.length;
      if (rest.length === 0) return done();
      const before = last;
      last = rest;
      done(null, before);
    },
    flush(done) {
      const isDamaged = digest.digest("hex") !== sha256;
      const error = isDamaged || isLonger ? corrupt() : null;
      if (isDamaged) done(error);
      else done(null, last);
    },
  });
  // Who reads it sees the error, and ends the source by ending it.
  return pipeline(source, comparing, () => undefined);
}
