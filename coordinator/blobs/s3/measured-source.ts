/** The bytes of a put as they pass: measured, hashed, and cut off beyond the limit. */
import { createHash } from "node:crypto";
import { BlobTooLargeError } from "../blob-store.ts";

export class MeasuredSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #bytesMax: number;
  readonly #hash = createHash("sha256");
  #bytes = 0;
  /** What the source itself threw: it goes to the caller as it is, however it came through the upload. */
  failure: unknown = null;

  constructor(source: AsyncIterable<Uint8Array>, bytesMax: number) {
    this.#chunks = source[Symbol.asyncIterator]();
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Of all that has passed; called once. */
  digest(): Buffer {
    return this.#hash.digest();
  }

  /** The next bytes up to about so many; fewer only at the end. */
  async take(bytes: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for (let taken = 0; taken < bytes; ) {
      const chunk = await this.#next();
      if (chunk === null) break;
      chunks.push(chunk);
      taken += chunk.byteLength;
    }
    return Buffer.concat(chunks);
  }

  async *rest(first: Buffer): AsyncGenerator<Uint8Array> {
    yield first;
    for (let chunk = await this.#next(); chunk !== null; chunk = await this.#next()) yield chunk;
  }

  /** Ends the source: nobody reads on. */
  async end(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #next(): Promise<Uint8Array | null> {
    try {
      const { done, value } = await this.#chunks.next();
      if (done) return null;
      this.#bytes += value.byteLength;
      if (this.#bytes > this.#bytesMax) throw new BlobTooLargeError(this.#bytesMax);
      this.#hash.update(value);
      return value;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
