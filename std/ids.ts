/**
 * Ids are 32 lower-case hexadecimal characters with the bits of a UUIDv7 (RFC 9562, 5.7):
 * 48 bits of milliseconds, then version, variant and 74 random bits, so ids sort by creation time.
 */
import { hash, randomFillSync } from "node:crypto";

const ID_PATTERN = /^[0-9a-f]{32}$/;
const RANDOM_BYTES = 10;

/** Overwritten by each id: allocating a buffer costs more than all the rest. */
const scratch = Buffer.alloc(16);

/** Drawn in bulk: asking the kernel for ten bytes at a time costs more than all else here. */
const pool = { bytes: Buffer.alloc(0), used: 0 };

/** An id for something created at `nowMs` (milliseconds since the epoch). */
export function newId(nowMs: number, random?: Buffer): string {
  scratch.writeUIntBE(nowMs, 0, 6);
  if (random === undefined) drawRandom(scratch, 6);
  else random.copy(scratch, 6, 0, RANDOM_BYTES);
  scratch[6] = 0x70 | (scratch.readUInt8(6) & 0x0f);
  scratch[8] = 0x80 | (scratch.readUInt8(8) & 0x3f);
  return scratch.toString("hex");
}

/**
 * The same id each time for the same `of` and `index`, below 4,096: in the place of random bits, which those of `of` stand for.
 * Of one `of` and one time the ids sort by their index.
 */
export function derivedId(nowMs: number, of: string, index: number): string {
  const bits = hash("sha256", `${of}/${index}`, "buffer").subarray(0, RANDOM_BYTES);
  bits.writeUInt16BE(index, 0);
  return newId(nowMs, bits);
}

/** Whether `text` has the form of an id. */
export function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}

function drawRandom(to: Buffer, at: number): void {
  if (pool.used + RANDOM_BYTES > pool.bytes.length) {
    pool.bytes = randomFillSync(Buffer.allocUnsafeSlow(RANDOM_BYTES * 1024));
    pool.used = 0;
  }
  pool.bytes.copy(to, at, pool.used, pool.used + RANDOM_BYTES);
  pool.used += RANDOM_BYTES;
}
