/**
 * Holds limits against creations that come at the same time: what is on its way into the store counts as if it were
 * there. Exact on one coordinator; several may each let through what the others have on their way.
 */
export class Places {
  /** What is on its way, by what it counts for. */
  readonly #coming = new Map<string, number>();

  /**
   * Takes a place for one more of `name`, of which `count` are in the view; null where that would be more than `max`.
   * Call what it returns once the creation is in the view or has failed.
   */
  take(name: string, count: number, max: number): (() => void) | null {
    const coming = this.#coming.get(name) ?? 0;
    if (count + coming >= max) return null;
    this.#coming.set(name, coming + 1);
    return () => this.#release(name);
  }

  #release(name: string): void {
    const left = (this.#coming.get(name) ?? 1) - 1;
    if (left > 0) this.#coming.set(name, left);
    else this.#coming.delete(name);
  }
}

export interface PlaceDeps {
  readonly places: Places;
}
