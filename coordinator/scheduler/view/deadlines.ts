/** When each open task is to be looked at next. Taking what is due costs nothing for what is not. */
import { MinHeap } from "@elastic/std/heap.ts";

interface Deadline<T> {
  readonly atMs: number;
  readonly of: T;
}

export class Deadlines<T> {
  readonly #heap = new MinHeap<Deadline<T>>((a, b) => a.atMs < b.atMs);
  /** The one deadline of each that holds; the heap's other entries are passed over. */
  readonly #current = new Map<T, Deadline<T>>();

  get size(): number {
    return this.#current.size;
  }

  /** Replaces the deadline that `of` had. */
  set(of: T, atMs: number): void {
    const deadline = { atMs, of };
    this.#current.set(of, deadline);
    this.#heap.push(deadline);
    if (this.#heap.size > 1024 && this.#heap.size > 2 * this.#current.size) {
      this.#heap.retain((entry) => this.#current.get(entry.of) === entry);
    }
  }

  delete(of: T): void {
    this.#current.delete(of);
  }

  /** Takes what is due at `nowMs`, earliest first, at most `max`. */
  takeDue(nowMs: number, max: number): T[] {
    const due: T[] = [];
    while (due.length < max) {
      const first = this.#heap.peek();
      if (first === undefined || first.atMs > nowMs) break;
      this.#heap.pop();
      if (this.#current.get(first.of) !== first) continue;
      this.#current.delete(first.of);
      due.push(first.of);
    }
    return due;
  }
}
