/**
 * The queued tasks of one service and priority in the order of their ids, which is the order of their creation.
 *
 * New tasks arrive at the end and are taken near the front, so both ends are cheap: a sorted array whose
 * front moves. What is taken leaves a gap that a task coming back to the front reuses; what leaves from
 * the middle is passed over until that has cost as much as a compaction.
 */
export class TaskLane<T extends { readonly id: string }> implements Iterable<T> {
  readonly #live = new Map<string, T>();
  #ids: string[] = [];
  #front = 0;
  /** Steps spent passing over what left, since the last compaction. */
  #passedOver = 0;

  get size(): number {
    return this.#live.size;
  }

  has(id: string): boolean {
    return this.#live.has(id);
  }

  add(task: T): void {
    if (this.#live.has(task.id)) {
      this.#live.set(task.id, task);
      return;
    }
    this.#live.set(task.id, task);
    const at = this.#position(task.id);
    if (this.#ids[at] === task.id) return;
    if (this.#front > 0 && at - this.#front < this.#ids.length - at) {
      this.#ids.copyWithin(this.#front - 1, this.#front, at);
      this.#ids[at - 1] = task.id;
      this.#front--;
    } else if (at === this.#ids.length) {
      this.#ids.push(task.id);
    } else {
      this.#ids.splice(at, 0, task.id);
    }
  }

  remove(id: string): void {
    if (!this.#live.delete(id)) return;
    while (this.#front < this.#ids.length && !this.#live.has(this.#ids[this.#front] ?? "")) this.#front++;
    const mostlyGone = this.#live.size < this.#ids.length / 4;
    if (this.#ids.length > 1024 && (mostlyGone || this.#passedOver > this.#ids.length)) this.#compact();
  }

  /** Oldest first. The queue must not be changed meanwhile. */
  *[Symbol.iterator](): Iterator<T> {
    for (let index = this.#front; index < this.#ids.length; index++) {
      const task = this.#live.get(this.#ids[index] ?? "");
      if (task === undefined) this.#passedOver++;
      else yield task;
    }
  }

  /** Where `id` stands, or would. */
  #position(id: string): number {
    let low = this.#front;
    let high = this.#ids.length;
    if (high > low && (this.#ids[high - 1] ?? "") < id) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ids[middle] ?? "") < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compact(): void {
    this.#ids = this.#ids.slice(this.#front).filter((id) => this.#live.has(id));
    this.#front = 0;
    this.#passedOver = 0;
  }
}
