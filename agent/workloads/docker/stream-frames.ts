/**
 * Takes the headers out of an engine's stream that separate standard output from standard error, piece by piece as it
 * comes. Of a container that has a terminal a stream has no headers.
 */
const HEADER_BYTES = 8;
const STDERR = 2;

export interface Piece {
  readonly of: "stdout" | "stderr";
  readonly bytes: Buffer;
}

export class StreamFrames {
  #header: Buffer = Buffer.alloc(0);
  #of: Piece["of"] = "stdout";
  #left = 0;

  *take(chunk: Buffer): Iterable<Piece> {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const bytes = chunk.subarray(at, at + this.#left);
        at += bytes.length;
        this.#left -= bytes.length;
        yield { of: this.#of, bytes };
        continue;
      }
      const piece = chunk.subarray(at, at + HEADER_BYTES - this.#header.length);
      at += piece.length;
      this.#header = Buffer.concat([this.#header, piece]);
      if (this.#header.length < HEADER_BYTES) return;
      this.#of = this.#header[0] === STDERR ? "stderr" : "stdout";
      this.#left = this.#header.readUInt32BE(4);
      this.#header = Buffer.alloc(0);
    }
  }
}

/** What both wrote, in order; of a frame that is cut off what there is. */
export function unframe(framed: Buffer): Buffer {
  return Buffer.concat([...new StreamFrames().take(framed)].map(({ bytes }) => bytes));
}
