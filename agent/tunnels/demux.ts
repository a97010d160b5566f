/** Tells a program's output from its errors, piece by piece as the engine sends them. */
const HEADER_BYTES = 8;
const STDERR = 2;

export interface Piece {
  readonly of: "stdout" | "stderr";
  readonly bytes: Buffer;
}

export class Demux {
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
