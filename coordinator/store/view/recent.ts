/** The most recently used of something, up to a number. */
export class Recent<T> {
  readonly #max: number;
  /** A map keeps its keys in the order they came in: the first is the least recently used. */
  readonly #entries = new Map<string, T>();

  constructor(max: number) {
    this.#max = max;
  }

  get(id: string): T | undefined {
    const value = this.#entries.get(id);
    if (value !== undefined) {
      this.#entries.delete(id);
      this.#entries.set(id, value);
    }
    return value;
  }

  set(id: string, value: T): void {
    this.#entries.delete(id);
    this.#entries.set(id, value);
    if (this.#entries.size <= this.#max) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }
}
