/** A binary min-heap: what comes first is found at once, adding and taking cost O(log n). */
export class MinHeap<T> {
  readonly #comesFirst: (a: T, b: T) => boolean;
  #items: T[] = [];

  constructor(comesFirst: (a: T, b: T) => boolean) {
    this.#comesFirst = comesFirst;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    this.#items.push(item);
    this.#siftUp(this.#items.length - 1);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) {
      this.#items[0] = last;
      this.#siftDown(0);
    }
    return first;
  }

  /** Drops what `keep` refuses, in O(n). */
  retain(keep: (item: T) => boolean): void {
    this.#items = this.#items.filter(keep);
    for (let index = (this.#items.length >> 1) - 1; index >= 0; index--) this.#siftDown(index);
  }

  #siftUp(from: number): void {
    const items = this.#items;
    const item = items[from] as T;
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#comesFirst(item, items[parent] as T)) break;
      items[index] = items[parent] as T;
      index = parent;
    }
    items[index] = item;
  }

  #siftDown(from: number): void {
    const items = this.#items;
    const item = items[from] as T;
    let index = from;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= items.length) break;
      const right = left + 1;
      const child = right < items.length && this.#comesFirst(items[right] as T, items[left] as T) ? right : left;
      if (!this.#comesFirst(items[child] as T, item)) break;
      items[index] = items[child] as T;
      index = child;
    }
    items[index] = item;
  }
}
