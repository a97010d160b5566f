/**
 * A map by id, of any size: no step takes long. A Map copies all its entries whenever it grows to twice or shrinks to a
 * quarter, which takes a hundred milliseconds of a million; here each of many small ones does so, at other times.
 */

const PARTS = 1024;

export class IdMap<V> {
  readonly #parts: readonly Map<string, V>[] = Array.from({ length: PARTS }, () => new Map<string, V>());
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: string): boolean {
    return this.#partOf(id).has(id);
  }

  get(id: string): V | undefined {
    return this.#partOf(id).get(id);
  }

  set(id: string, value: V): void {
    const part = this.#partOf(id);
    const before = part.size;
    part.set(id, value);
    this.#size += part.size - before;
  }

  delete(id: string): boolean {
    const isDeleted = this.#partOf(id).delete(id);
    if (isDeleted) this.#size--;
    return isDeleted;
  }

  clear(): void {
    for (const part of this.#parts) part.clear();
    this.#size = 0;
  }

  /** In no order. It may change meanwhile: what is there from the beginning to the end comes once. */
  *keys(): Iterable<string> {
    for (const part of this.#parts) yield* part.keys();
  }

  /** As `keys`. */
  *values(): Iterable<V> {
    for (const part of this.#parts) yield* part.values();
  }

  #partOf(id: string): Map<string, V> {
    return this.#parts[partAt(id)] as Map<string, V>;
  }
}

/** Ids end with random digits. */
function partAt(id: string): number {
  const end = id.length - 1;
  return ((digitAt(id, end - 2) << 8) | (digitAt(id, end - 1) << 4) | digitAt(id, end)) & (PARTS - 1);
}

/** Of a hexadecimal digit its value, of any other character some number below 64. */
function digitAt(id: string, at: number): number {
  const code = id.charCodeAt(at);
  return (code & 15) + 9 * (code >> 6);
}
