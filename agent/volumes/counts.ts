/** How often each name was added and not dropped. */
export class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  drop(name: string): void {
    const left = (this.#counts.get(name) ?? 1) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }

  /** Those that were added more often than dropped. */
  names(): Iterable<string> {
    return this.#counts.keys();
  }
}
