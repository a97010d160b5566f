/**
 * Queued tasks of one service in the order of their ids, which is the order of their creation: all of one priority, or those
 * that are overdue.
 *
 * In chunks, so that no step takes long however many there are: new tasks arrive at the end and are taken near the front, and
 * one that comes or leaves anywhere moves a chunk at most.
 */

const CHUNK_MAX = 512;

export class TaskLane<T extends { readonly id: string }> implements Iterable<T> {
  /** None is empty. */
  readonly #chunks: T[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: string): boolean {
    const chunk = this.#chunks[this.#chunkFor(id)];
    return chunk !== undefined && chunk[positionIn(chunk, id)]?.id === id;
  }

  /** In the place of the one that has its id. */
  add(task: T): void {
    const at = this.#chunkFor(task.id);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([task]);
      this.#size++;
      return;
    }
    const position = positionIn(chunk, task.id);
    if (chunk[position]?.id === task.id) {
      chunk[position] = task;
      return;
    }
    if (position === chunk.length) chunk.push(task);
    else chunk.splice(position, 0, task);
    this.#size++;
    if (chunk.length > CHUNK_MAX) this.#split(at, chunk);
  }

  /** Returns whether it was there. */
  remove(id: string): boolean {
    const at = this.#chunkFor(id);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return false;
    const position = positionIn(chunk, id);
    if (chunk[position]?.id !== id) return false;
    if (position === 0) chunk.shift();
    else chunk.splice(position, 1);
    this.#size--;
    if (chunk.length === 0) this.#chunks.splice(at, 1);
    return true;
  }

  /** Oldest first. The lane must not be changed meanwhile. */
  *[Symbol.iterator](): Iterator<T> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /** The first chunk whose last id is not below; the last chunk for what comes after all. */
  #chunkFor(id: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    if (high > 0 && (this.#chunks[high - 1]?.at(-1)?.id ?? "") < id) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#chunks[middle]?.at(-1)?.id ?? "") < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Unevenly at the end, where tasks keep coming: full chunks stay behind. */
  #split(at: number, chunk: T[]): void {
    const keep = at === this.#chunks.length - 1 ? CHUNK_MAX - 1 : CHUNK_MAX >> 1;
    this.#chunks.splice(at + 1, 0, chunk.splice(keep));
  }
}

/** Where the id is in its chunk, or would be. */
function positionIn(chunk: readonly { readonly id: string }[], id: string): number {
  let low = 0;
  let high = chunk.length;
  if (high > 0 && (chunk[high - 1]?.id ?? "") < id) return high;
  if (chunk[0]?.id === id) return 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunk[middle]?.id ?? "") < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
