/**
 * Bounds a tar archive before it is parsed: its bytes, its blocks of headers, and the extended headers, which the
 * parser keeps in memory and applies to every entry that follows. Reads of each header what says how long it is, and
 * rejects what the parser would measure otherwise; so both see the same headers.
 */
import { Transform } from "node:stream";
import { type ArchiveLimits, invalid } from "./archive-paths.ts";

const BLOCK_BYTES = 512;
/** Of a header and what fills up the last block, for each entry. */
const OVERHEAD_BYTES = 4_096;
/** An entry has its own header, and extended ones for a long path and a long target. */
const HEADERS_PER_ENTRY = 3;
/** `x`, `L` and `K`: of the next entry. A path has at most 1,024 characters. */
const EXTENDED_BYTES_MAX = 64 * 1024;
/** `g`: of all entries that follow. Git writes the commit there, and nothing else. */
const GLOBAL_BYTES_MAX = 1_024;
const LIMIT_OF_TYPE: ReadonlyMap<string, number> = new Map([
  ...["x", "L", "K", "N"].map((type) => [type, EXTENDED_BYTES_MAX] as const),
  ["g", GLOBAL_BYTES_MAX],
]);
const DIRECTORY = "5";
const SIZE_AT = 124;
const SIZE_BYTES = 12;
const TYPE_AT = 156;
const SIZE = /^ *([0-7]*)[\0 ]*$/;
/** A record that gives the next entry another size than its header. Only files of 8 GiB and more need one. */
const SIZE_RECORD = " size=";

/** Passes on what comes; fails with a BuildFailure at the first byte that is too much. */
export function boundArchive(limits: ArchiveLimits): Transform {
  const bounds = new ArchiveBounds(limits);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        bounds.take(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

class ArchiveBounds {
  readonly #limits: ArchiveLimits;
  #bytes = 0;
  #headers = 0;
  /** Of the content after a header, with what fills up its last block. */
  #contentBytes = 0;
  /** Of a header, or of an extended one, as far as it has come. */
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  /** Length of the extended header that is read; null while a header is. */
  #extendedBytes: number | null = null;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  take(chunk: Buffer): void {
    const { bytes, entries } = this.#limits;
    this.#bytes += chunk.length;
    if (this.#bytes > bytes + entries * OVERHEAD_BYTES) throw invalid(`unpacked it has more than ${bytes} bytes`);
    for (let rest = chunk; rest.length > 0; ) rest = this.#contentBytes > 0 ? this.#skip(rest) : this.#gather(rest);
  }

  #skip(chunk: Buffer): Buffer {
    const skipped = Math.min(this.#contentBytes, chunk.length);
    this.#contentBytes -= skipped;
    return chunk.subarray(skipped);
  }

  #gather(chunk: Buffer): Buffer {
    const wanted = (this.#extendedBytes ?? BLOCK_BYTES) - this.#piecesBytes;
    const piece = chunk.subarray(0, wanted);
    this.#pieces.push(piece);
    this.#piecesBytes += piece.length;
    if (piece.length === wanted) {
      const block = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
      this.#pieces = [];
      this.#piecesBytes = 0;
      if (this.#extendedBytes === null) this.#readHeader(block);
      else this.#readExtended(block);
    }
    return chunk.subarray(piece.length);
  }

  #readHeader(block: Buffer): void {
    this.#headers += 1;
    if (this.#headers > this.#limits.entries * HEADERS_PER_ENTRY + BLOCK_BYTES)
      throw invalid(`it has more headers than ${this.#limits.entries} entries take`);
    const type = String.fromCharCode(block[TYPE_AT] ?? 0);
    const size = sizeIn(block);
    const sizeMax = LIMIT_OF_TYPE.get(type);
    if (sizeMax === undefined) {
      this.#contentBytes = type === DIRECTORY ? 0 : wholeBlocks(size);
    } else if (size > sizeMax) throw invalid(`an extended header of it has ${size} bytes; at most ${sizeMax} are read`);
    // The parser would take the content of the entry after it for the extended header.
    else if (size === 0) throw invalid("an extended header of it is empty");
    else this.#extendedBytes = size;
  }

  #readExtended(header: Buffer): void {
    if (header.includes(SIZE_RECORD)) throw invalid("an extended header of it gives an entry another size");
    this.#extendedBytes = null;
    this.#contentBytes = wholeBlocks(header.length) - header.length;
  }
}

function sizeIn(block: Buffer): number {
  const text = block.toString("latin1", SIZE_AT, SIZE_AT + SIZE_BYTES);
  const digits = SIZE.exec(text)?.[1];
  if (digits === undefined) throw invalid("it is no tar archive, or the size of an entry in it is no octal number");
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

function wholeBlocks(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}
