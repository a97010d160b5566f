/**
 * Ids in order, in chunks, so that one more or one less moves few of them and a page far from the end is found by
 * stepping over chunks. Ids sort by time: nearly all come in at the end.
 */

const CHUNK_MAX = 512;

export class SortedIds implements Iterable<string> {
  readonly #chunks: string[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(id: string): void {
    const at = this.#chunkFor(id);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([id]);
      this.#size++;
      return;
    }
    const position = lowerBound(chunk, id);
    if (chunk[position] === id) return;
    chunk.splice(position, 0, id);
    this.#size++;
    if (chunk.length > CHUNK_MAX) this.#split(at, chunk);
  }

  delete(id: string): void {
    const at = this.#chunkFor(id);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const position = lowerBound(chunk, id);
    if (chunk[position] !== id) return;
    chunk.splice(position, 1);
    this.#size--;
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** The smallest first. They must not be changed meanwhile. */
  *[Symbol.iterator](): Iterator<string> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /** The greatest first: at most `limit` of them after the first `offset`. */
  newest(offset: number, limit: number): string[] {
    const page: string[] = [];
    let skip = offset;
    for (let at = this.#chunks.length - 1; at >= 0 && page.length < limit; at--) {
      const chunk = this.#chunks[at] ?? [];
      for (let i = chunk.length - 1 - skip; i >= 0 && page.length < limit; i--) page.push(chunk[i] as string);
      skip = Math.max(0, skip - chunk.length);
    }
    return page;
  }

  /** How many are not below `id`. */
  countFrom(id: string): number {
    const first = this.#chunkFor(id);
    const chunk = this.#chunks[first];
    if (chunk === undefined) return 0;
    let count = chunk.length - lowerBound(chunk, id);
    for (let at = first + 1; at < this.#chunks.length; at++) count += this.#chunks[at]?.length ?? 0;
    return count;
  }

  /** The first chunk whose last id is not below; the last chunk for what comes after all. */
  #chunkFor(id: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#chunks[middle]?.at(-1) ?? "") < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Unevenly at the end, where ids keep coming: full chunks stay behind. */
  #split(at: number, chunk: string[]): void {
    const keep = at === this.#chunks.length - 1 ? CHUNK_MAX - 1 : CHUNK_MAX >> 1;
    this.#chunks.splice(at + 1, 0, chunk.splice(keep));
  }
}

function lowerBound(chunk: readonly string[], id: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunk[middle] as string) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
