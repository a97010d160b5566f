/**
 * HMAC-SHA-256 (RFC 2104) as the two hashes that it is made of, for what is signed with every task: an Hmac of Node is a native
 * object for each call, which only a collection of the complete heap frees.
 */
import { hash } from "node:crypto";

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER = 0x36;
const OUTER = 0x5c;

/** A key of at most 64 bytes: a longer one would be hashed first. */
export class HmacSha256 {
  readonly #inner: Buffer;
  /** Followed by the inner digest of the call. */
  readonly #outer: Buffer;

  constructor(key: Buffer) {
    if (key.length > BLOCK_BYTES) throw new Error(`a key of ${key.length} bytes is longer than a block`);
    this.#inner = padded(key, INNER, BLOCK_BYTES);
    this.#outer = padded(key, OUTER, BLOCK_BYTES + DIGEST_BYTES);
  }

  /** In base64url. */
  digest(text: string): string {
    hash("sha256", Buffer.concat([this.#inner, Buffer.from(text)]), "buffer").copy(this.#outer, BLOCK_BYTES);
    return hash("sha256", this.#outer, "base64url");
  }
}

function padded(key: Buffer, pad: number, bytes: number): Buffer {
  const block = Buffer.alloc(bytes);
  for (let at = 0; at < BLOCK_BYTES; at++) block[at] = (key[at] ?? 0) ^ pad;
  return block;
}
