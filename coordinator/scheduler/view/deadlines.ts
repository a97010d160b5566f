/**
 * When each open task is to be looked at next: a binary heap of the tasks themselves, each of which says where in it it is, so that
 * one is moved or taken out without a search, and what holds nothing but a deadline costs a place in an array.
 */

/** What has a deadline. Nothing but Deadlines writes these two. */
export interface HasDeadline {
  /** Whole milliseconds: other numbers take memory in addition to the field. */
  deadlineMs: number;
  /** Its place in the heap; NO_DEADLINE for none. */
  deadlineAt: number;
}

export const NO_DEADLINE = -1;

export class Deadlines<T extends HasDeadline> {
  readonly #heap: T[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** Replaces the deadline that `of` had. */
  set(of: T, atMs: number): void {
    const before = of.deadlineMs;
    of.deadlineMs = Math.ceil(atMs);
    if (of.deadlineAt === NO_DEADLINE) {
      this.#heap.push(of);
      this.#siftUp(this.#heap.length - 1, of);
    } else if (of.deadlineMs < before) {
      this.#siftUp(of.deadlineAt, of);
    } else {
      this.#siftDown(of.deadlineAt, of);
    }
  }

  delete(of: T): void {
    const at = of.deadlineAt;
    if (at === NO_DEADLINE) return;
    of.deadlineAt = NO_DEADLINE;
    const last = this.#heap.pop();
    if (last === undefined || last === of) return;
    if (last.deadlineMs < of.deadlineMs) this.#siftUp(at, last);
    else this.#siftDown(at, last);
  }

  /** Takes what is due at `nowMs`, earliest first, at most `max`. */
  takeDue(nowMs: number, max: number): T[] {
    const due: T[] = [];
    while (due.length < max) {
      const first = this.#heap[0];
      if (first === undefined || first.deadlineMs > nowMs) break;
      this.delete(first);
      due.push(first);
    }
    return due;
  }

  #siftUp(from: number, task: T): void {
    const heap = this.#heap;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as T;
      if (task.deadlineMs >= parent.deadlineMs) break;
      heap[at] = parent;
      parent.deadlineAt = at;
      at = above;
    }
    heap[at] = task;
    task.deadlineAt = at;
  }

  #siftDown(from: number, task: T): void {
    const heap = this.#heap;
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const isRight = right < heap.length && (heap[right] as T).deadlineMs < (heap[left] as T).deadlineMs;
      const child = heap[isRight ? right : left] as T;
      if (child.deadlineMs >= task.deadlineMs) break;
      heap[at] = child;
      child.deadlineAt = at;
      at = isRight ? right : left;
    }
    heap[at] = task;
    task.deadlineAt = at;
  }
}
