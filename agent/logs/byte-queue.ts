/**
 * Bytes of a stream that were written and are not yet let go of, each at its offset in the stream. Small pieces are
 * gathered in blocks, so that a prover that writes byte by byte costs no more memory than it writes.
 */
interface Block {
  readonly start: number;
  readonly bytes: Buffer;
  length: number;
}

const FIRST_BLOCK_BYTES = 1024;
const BLOCK_BYTES_MAX = 64 * 1024;

export class ByteQueue {
  #blocks: Block[] = [];
  #start: number;
  #end: number;

  constructor(start: number) {
    this.#start = start;
    this.#end = start;
  }

  /** Offset of the first byte that is here. */
  get start(): number {
    return this.#start;
  }

  /** Offset after the last. */
  get end(): number {
    return this.#end;
  }

  get length(): number {
    return this.#end - this.#start;
  }

  append(data: Uint8Array): void {
    for (let at = 0; at < data.length; ) {
      const block = this.#roomy();
      const piece = data.subarray(at, at + block.bytes.length - block.length);
      block.bytes.set(piece, block.length);
      block.length += piece.length;
      this.#end += piece.length;
      at += piece.length;
    }
  }

  /** At most `bytesMax` from `offset` on, which is here; fewer where a block ends. */
  read(offset: number, bytesMax: number): Buffer {
    const block = this.#blocks.findLast(({ start }) => start <= offset);
    if (block === undefined || offset < this.#start) return Buffer.alloc(0);
    const from = offset - block.start;
    return block.bytes.subarray(from, Math.min(block.length, from + bytesMax));
  }

  /** Lets go of what is before `offset`. */
  dropBefore(offset: number): void {
    this.#start = Math.min(Math.max(offset, this.#start), this.#end);
    const gone = this.#blocks.findIndex(({ start, length }) => start + length > this.#start);
    this.#blocks.splice(0, gone === -1 ? this.#blocks.length : gone);
  }

  #roomy(): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.length < last.bytes.length) return last;
    const bytes = last === undefined ? FIRST_BLOCK_BYTES : Math.min(BLOCK_BYTES_MAX, 2 * last.bytes.length);
    const block: Block = { start: this.#end, bytes: Buffer.allocUnsafeSlow(bytes), length: 0 };
    this.#blocks.push(block);
    return block;
  }
}
